package main_test

import (
	"fmt"

	"utsending/internal/dispatch"
)

// tally counts what has become of the items of one kind.
type tally struct {
	states             map[dispatch.State]int
	died, found, again int
}

func (c *tally) add(it storedItem) {
	if c.states == nil {
		c.states = map[dispatch.State]int{}
	}
	c.states[it.State]++
	for _, a := range it.Attempts {
		if a.Reason.Key == "reason.died" {
			c.died++
		}
		switch a.Resolution {
		case dispatch.ResolutionSent:
			c.found++
		case dispatch.ResolutionNotSent:
			c.again++
		}
	}
}

func (c tally) String() string {
	return fmt.Sprintf("%v, %d calls died, %d found, %d sent again", c.states, c.died, c.found, c.again)
}
