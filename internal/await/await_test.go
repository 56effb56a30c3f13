package await_test

import (
	"testing"

	"utsending/internal/await"
)

func TestTrue(t *testing.T) {
	t.Parallel()
	asked := 0
	await.True(t, "the third answer", func() bool { asked++; return asked == 3 })
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
}
