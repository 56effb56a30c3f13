package dispatch

import (
	"errors"
	"slices"
)

// Cleaning is what was removed from a PDF at a person's wish.
type Cleaning struct {
	Removed []ActiveKind `json:"removed"`
	Kept    []ActiveKind `json:"kept,omitempty"`   // could not be removed
	Changed PageSet      `json:"changed,omitzero"` // pages that may look different
}

// MaxCleaned is the size in bytes of a PDF that can be cleaned. Assumption: letters are far below it; the copy, the file and its
// objects are in memory together.
const MaxCleaned = 64 << 20

// Cleanable returns the kinds of content that can be removed from a PDF without changing what it says, in the order in which
// they are named.
func Cleanable() []ActiveKind {
	return []ActiveKind{ActiveComment, ActiveAuthor, ActiveFile, ActiveForm, ActiveScript, ActiveLaunch, ActiveMedia}
}

// Check returns an error unless a cleaning is plausible for a file of so many pages. It comes from a process that has parsed
// the untrusted file.
func (c Cleaning) Check(pages int) error {
	known := func(list []ActiveKind) bool {
		return len(list) <= len(Cleanable()) && !slices.ContainsFunc(list, func(k ActiveKind) bool { return !slices.Contains(Cleanable(), k) })
	}
	s := c.Changed
	switch {
	case len(c.Removed) == 0, !known(c.Removed), !known(c.Kept):
		return errors.New("cleaning: impossible kinds")
	case s.Count < 0 || s.Count > pages || len(s.First) > min(s.Count, maxNamed) || slices.ContainsFunc(s.First, func(n int) bool { return n < 1 || n > pages }):
		return errors.New("cleaning: impossible pages")
	}
	return nil
}

// Removable returns what can be removed from a file; none where it cannot be changed. Parts of a divided file are copies of
// nothing but pages.
func (d Document) Removable() []ActiveKind {
	if !d.PDF() || d.Found != DocumentFine || d.Reading == nil || d.Cleaned != nil || d.Slice > 0 || d.Size > MaxCleaned || d.Fixed() != "" {
		return nil
	}
	return d.Reading.cleanable()
}

// Fixed tells why a file that holds something removable is not changed: it is signed or encrypted, or its pages are made of what
// would be removed. Empty: it can be.
func (d Document) Fixed() string {
	if d.Reading == nil || len(d.Reading.cleanable()) == 0 {
		return ""
	}
	if d.Reading.Restricted {
		return string(CheckEncrypted)
	}
	for _, k := range []ActiveKind{ActiveSigned, ActiveXFA, ActivePortfolio} {
		if d.Reading.has(k) {
			return string(k)
		}
	}
	return ""
}

// Altered tells whether pages may look different since the file was cleaned, so that a person has to look at them again.
func (d Document) Altered() bool { return d.Cleaned != nil && d.Cleaned.Changed.Count > 0 }

func (r FileReading) has(kind ActiveKind) bool {
	return slices.ContainsFunc(r.Active, func(a Active) bool { return a.Kind == kind })
}

func (r FileReading) cleanable() (kinds []ActiveKind) {
	for _, k := range Cleanable() {
		if r.has(k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Refiled returns the form for a draft in which one file took the place of another.
func (f DraftFields) Refiled(old, fresh DocumentID) DraftFields {
	documents := map[DocumentID]DocumentFields{}
	for id, d := range f.Documents {
		if id == old {
			id = fresh
		}
		documents[id] = d
	}
	if f.Documents = documents; f.SignDocument == string(old) {
		f.SignDocument = string(fresh)
	}
	return f
}
