package dispatch_test

import (
	"fmt"
	"testing"

	"utsending/internal/dispatch"
)

func pageTo(lines ...string) *dispatch.FileReading {
	return shipmentTo(1, lines...).Documents[0].Reading
}

func livesAt(name, street, code, city string) dispatch.PostalAddress {
	return dispatch.PostalAddress{Name: name, Line1: street, PostalCode: code, City: city}
}

// TestSlicesFindTheirRows: a slice goes to the row that its first page is addressed to, and of two that fit to neither.
func TestSlicesFindTheirRows(t *testing.T) {
	t.Parallel()
	m := dispatch.NewSliceMatcher(dispatch.DefaultPrintRules())
	for i, to := range []dispatch.PostalAddress{
		livesAt("Åse Nordmann", "Storgata 1", "7713", "Steinkjer"),    // 1
		livesAt("Ola Nordmann", "Storgata 1", "7713", "Steinkjer"),    // 2
		livesAt("Ola Nordmann", "Fjellveien 9", "0150", "Oslo"),       // 3
		livesAt("Kari Berg", "Elvegata 4", "7713", "Steinkjer"),       // 4
		livesAt("Kari Berg Olsen", "Elvegata 6", "7713", "Steinkjer"), // 5
		livesAt("Per Vik", "Bakken 2", "7713", "Steinkjer"),           // 6
		livesAt("Per Vik", "Bakken 2", "7713", "Steinkjer"),           // 7: again, left out
		livesAt("Siv Lund", "Bakken 3", "7713", "Steinkjer"),          // 8
		livesAt("SIV  LUND", "Bakken 3", "7713", "Steinkjer"),         // 9: again, not left out
		livesAt("Liv Dahl", "", "", ""),                               // 10: digital only
	} {
		m.Add(i+1, to, i == 6)
	}
	unread := pageTo("Åse Nordmann", "Storgata 1", "7713 Steinkjer")
	unread.Text = false
	for _, c := range []struct {
		name string
		page *dispatch.FileReading
		want string
	}{
		{"name and address", pageTo("Åse Nordmann", "Storgata 1", "7713 Steinkjer"), "1 "},
		{"other letters for the same", pageTo("NORDMANN, ÅSE", "Storgata 1", "7713 STEINKJER"), "1 "},
		{"the address decides between two of a name", pageTo("Ola Nordmann", "Fjellveien 9", "0150 Oslo"), "3 "},
		{"two of a name at neither address", pageTo("Ola Nordmann", "Havnegata 2", "7800 Namsos"), "0 several"},
		{"one of a name at another address goes there, in doubt", pageTo("Åse Nordmann", "Havnegata 2", "7800 Namsos"), "1 "},
		{"a couple that has a row each", pageTo("Åse Nordmann og Ola Nordmann", "Storgata 1", "7713 Steinkjer"), "0 several"},
		{"two addresses on a page", pageTo("Åse Nordmann", "Storgata 1", "7713 Steinkjer", "Kari Berg", "Elvegata 4", "7713 Steinkjer"), "0 several"},
		{"a name that another's begins with", pageTo("Kari Berg Olsen", "Elvegata 6", "7713 Steinkjer"), "5 "},
		{"one of two rows is left out", pageTo("Per Vik", "Bakken 2", "7713 Steinkjer"), "6 "},
		{"two rows for the same person", pageTo("Siv Lund", "Bakken 3", "7713 Steinkjer"), "0 several"},
		{"a row without an address", pageTo("Liv Dahl", "Bakken 4", "7713 Steinkjer"), "10 "},
		{"nobody of the list", pageTo("Eva Moe", "Bakken 5", "7713 Steinkjer"), "0 nobody"},
		{"an empty page", pageTo(), "0 nobody"},
		{"a page that cannot be read", unread, "0 unread"},
		{"no reading", nil, "0 unread"},
	} {
		t.Run(c.name, func(t *testing.T) {
			place, why := m.Find(c.page)
			if got := fmt.Sprint(place, " ", why); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestLettersBegin: before a page with another address in the window, or one that has the mark.
func TestLettersBegin(t *testing.T) {
	t.Parallel()
	words := func(lines ...string) []dispatch.Word { return pageTo(lines...).Words }
	ase, ola := words("Åse Nordmann", "Storgata 1", "7713 Steinkjer", "Side 1"), words("Ola Nordmann", "Storgata 1", "7713 Steinkjer")
	byAddress := dispatch.Cut{Rules: dispatch.DefaultPrintRules()}
	current, got := "", ""
	for _, page := range [][]dispatch.Word{
		words("Innhold"), ase, nil, words("Vedlegg"), words("Åse Nordmann", "Storgata 1", "7713 Steinkjer", "Side 2"), ola,
		words("", "", "", "", "", "", "", "", "", "", "", "7713 Steinkjer"), ase,
	} {
		var begins bool
		if current, begins = byAddress.Begins(page, current); begins {
			got += "|"
		}
		got += "."
	}
	if want := ".|....|..|."; got != want {
		t.Errorf("by address: got %q, want %q", got, want)
	}
	byMark := dispatch.Cut{Mark: "Vår  REF"}
	for text, want := range map[string]bool{"Deres ref: 1  vår ref: 2": true, "VÅR REF": true, "Vår": false, "": false} {
		if _, begins := byMark.Begins(words(text), ""); begins != want {
			t.Errorf("%q begins a letter: %t", text, begins)
		}
	}
}

func BenchmarkFindAmong10000(b *testing.B) {
	m := dispatch.NewSliceMatcher(dispatch.DefaultPrintRules())
	for i := range 10_000 {
		m.Add(i+1, livesAt(fmt.Sprintf("Ola%d Hansen", i), fmt.Sprintf("Storgata %d", i), "7713", "Steinkjer"), false)
	}
	page := pageTo("Ola77 Hansen", "Storgata 77", "7713 Steinkjer")
	for b.Loop() {
		if place, _ := m.Find(page); place != 78 {
			b.Fatal(place)
		}
	}
}
