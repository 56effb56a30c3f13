package dispatch

import "strings"

// ListView is how a person wants tables of items to look. The zero value is the usual look.
type ListView struct {
	Compact                          bool // lower rows
	NoChannel, NoReference, NoSender bool // columns that are left out
}

// parts are what a view can say, by name.
func (v *ListView) parts() map[string]*bool {
	return map[string]*bool{"compact": &v.Compact, "channel": &v.NoChannel, "reference": &v.NoReference, "sender": &v.NoSender}
}

// listViewParts are the names in the order in which they are stored.
var listViewParts = []string{"compact", "channel", "reference", "sender"}

// ParseListView reads a stored view; what it does not know is left out.
func ParseListView(text string) (v ListView) {
	parts := v.parts()
	for name := range strings.SplitSeq(text, ".") {
		if said := parts[name]; said != nil {
			*said = true
		}
	}
	return v
}

// String is the view as it is stored; empty: the usual look.
func (v ListView) String() string {
	var names []string
	parts := v.parts()
	for _, name := range listViewParts {
		if *parts[name] {
			names = append(names, name)
		}
	}
	return strings.Join(names, ".")
}
