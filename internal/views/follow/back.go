package follow

// BackLink leads from an item's page back to the list from which it was opened.
type BackLink struct {
	Path, Label string // a catalogue key; both empty: it was opened from elsewhere
}

// or is another link, where the page was opened from elsewhere.
func (b BackLink) or(path, label string) BackLink {
	if b.Path == "" {
		return BackLink{path, label}
	}
	return b
}
