package views

// Difference is a field that differs between two tabs. Label is a catalogue key.
type Difference struct{ Field, Label, Here, There string }

// Other is what another tab has saved since this one read the draft.
type Other struct {
	Differences []Difference
	More        bool // choices other than texts differ too
	Path        string
	Settings    bool // of settings, so that it may have been another user
}

// why and there are the catalogue keys of the explanation and of the link.
func (o Other) why() string {
	if o.Settings {
		return "both.settings.why"
	}
	return "both.why"
}

func (o Other) there() string {
	if o.Settings {
		return "both.settings.there"
	}
	return "both.there"
}

// Compare adds a field if it differs.
func (o *Other) Compare(field, label, here, there string) {
	if here != there {
		o.Differences = append(o.Differences, Difference{field, label, here, there})
	}
}

// There tells whether another tab has saved anything.
func (o Other) There() bool { return o.Path != "" }
