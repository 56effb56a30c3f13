package views

import "cmp"

// In adds a suffix to the choice's ids, so that the same choice can be on a page several times.
func (c Choice) In(suffix string) Choice {
	c.Suffix = "-" + suffix
	return c
}

// id is the id of the radio button.
func (c Choice) id() string { return c.Name + "-" + c.Value + c.Suffix }

// Hint is the line under a field without a problem.
type Hint struct{ Key, Color string }

// describedBy is the aria-describedby of a field.
// fills is what browsers may fill in.
func (f Field) fills() string { return cmp.Or(f.Fills, "off") }

func (f Field) describedBy() string {
	if f.Hint == "" {
		return f.Name + "-s"
	}
	return f.Name + "-d " + f.Name + "-s"
}
