package views

// Difference is a field that two tabs have filled in otherwise. Label is a catalogue key.
type Difference struct{ Field, Label, Here, There string }

// Other is what another tab has saved of a draft since this one was opened.
type Other struct {
	Differences []Difference
	More        bool // choices that are no text differ too
	Path        string
	Settings    bool // somebody else may have saved them
}

// why and there are what is said of who saved the other text.
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

// Compare notes a field where it differs.
func (o *Other) Compare(field, label, here, there string) {
	if here != there {
		o.Differences = append(o.Differences, Difference{field, label, here, there})
	}
}

// There tells whether there is anything to choose.
func (o Other) There() bool { return o.Path != "" }
