package delivery

import (
	"testing"
	"time"
)

// turns is a turnstile with those who have come to it.
type turns struct {
	turnstile
	came []chan struct{}
}

func (t *turns) come(n int) {
	for range n {
		t.came = append(t.came, t.join())
	}
}

// want expects that the first so many are through, and the others wait.
func (t *turns) want(test *testing.T, when string, want int) {
	test.Helper()
	for i, turn := range t.came {
		select {
		case <-turn:
			if i >= want {
				test.Errorf("%s: number %d is through", when, i+1)
			}
		default:
			if i < want {
				test.Errorf("%s: number %d waits", when, i+1)
			}
		}
	}
}

func TestTurnstile(test *testing.T) {
	test.Parallel()
	t := &turns{}
	t.come(1)
	t.want(test, "before anything is allowed", 0)
	t.allow(2)
	t.come(3)
	t.want(test, "two at a time", 2)
	t.exit(0)
	t.want(test, "one has gone", 3)
	t.allow(1)
	t.exit(0)
	t.want(test, "one fewer may", 3)
	t.exit(0)
	t.want(test, "the one has gone", 4)
	t.come(2)
	t.allow(3)
	t.want(test, "more may", 6)
}

func TestTurnThatDoesNotCome(test *testing.T) {
	test.Parallel()
	t := &turns{}
	t.allow(1)
	t.come(1)
	t.exit(time.Millisecond)
	if !t.ahead() || !t.enterSoon() {
		test.Fatal("a free turn was not taken")
	}
	if t.enterSoon() || t.ahead() {
		test.Error("the pace is as before, though no turn came")
	}
	t.come(1)
	t.exit(time.Millisecond)
	t.want(test, "who gave up is not waited for", 2)
}

func TestPaceOfCalls(test *testing.T) {
	test.Parallel()
	t := &turnstile{}
	for _, c := range []struct {
		took  time.Duration
		times int
		ahead bool
	}{
		{0, 1, false}, {swift, 1, true}, {time.Second, 1, false}, {time.Millisecond, 50, true}, {0, 50, true}, {10 * time.Second, 1, false},
	} {
		for range c.times {
			t.exit(c.took)
		}
		if t.ahead() != c.ahead {
			test.Errorf("after %d calls of %s: ahead is %t", c.times, c.took, t.ahead())
		}
	}
}
