package views

// In gives the ids of a choice a suffix, so that the same choice can stand on a page several times.
func (c Choice) In(suffix string) Choice {
	c.Suffix = "-" + suffix
	return c
}

// id is the id of the radio button.
func (c Choice) id() string { return c.Name + "-" + c.Value + c.Suffix }

// Hint is what the line under a field says when nothing is wrong.
type Hint struct{ Key, Color string }

// describedBy names the lines that belong to a field.
func (f Field) describedBy() string {
	if f.Hint == "" {
		return f.Name + "-s"
	}
	return f.Name + "-d " + f.Name + "-s"
}
