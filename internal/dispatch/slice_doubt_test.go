package dispatch_test

import (
	"slices"
	"testing"

	"utsending/internal/dispatch"
)

func TestDoubtsAboutParts(t *testing.T) {
	t.Parallel()
	type doubts = []dispatch.SliceDoubt
	words := func(lines ...string) []dispatch.Word { return shipmentTo(1, lines...).Documents[0].Reading.Words }
	later := func(lines ...string) func(*dispatch.Document) {
		return func(d *dispatch.Document) { d.Reading.Later = []dispatch.PageWords{{Page: 2, Words: words(lines...)}} }
	}
	for name, tt := range map[string]struct {
		lines  []string
		change func(*dispatch.Document)
		want   doubts
	}{
		"the recipient":                               {lines: toAse},
		"the recipient with a number":                 {lines: append([]string{"128478 10082"}, toAse...)},
		"another recipient":                           {lines: []string{"Ola Hansen", "Storgata 2", "7713 Steinkjer"}, want: doubts{dispatch.SliceUnnamed}},
		"another recipient with a number":             {lines: []string{"Ola Hansen", "12847810082", "7713 Steinkjer"}, want: doubts{dispatch.SliceUnnamed}},
		"another one whose text names this one":       {lines: []string{"Ola Hansen", "Storgata 2", "7713 Steinkjer", "Om Åse Nordmann"}, want: doubts{dispatch.SliceAddress}},
		"somebody of the same name":                   {lines: []string{"Åse Nordmann", "Storgata 2", "7713 Steinkjer"}, want: doubts{dispatch.SliceAddress}},
		"the name alone, in the text":                 {lines: []string{"Vedtak", "", "", "", "", "", "", "", "", "Kjære Åse Nordmann"}},
		"nobody":                                      {lines: []string{"Vedtak om plass"}, want: doubts{dispatch.SliceUnnamed}},
		"a page without text":                         {change: func(d *dispatch.Document) { d.Reading.Text = false }, want: doubts{dispatch.SliceUnread}},
		"a page that was not gone through":            {lines: toAse, change: func(d *dispatch.Document) { d.Reading.Unread.Add(2) }, want: doubts{dispatch.SliceUnread}},
		"no reading":                                  {change: func(d *dispatch.Document) { d.Reading = nil }, want: doubts{dispatch.SliceUnread}},
		"a reading from before later pages were read": {lines: toAse, change: func(d *dispatch.Document) { d.Reading.LaterRead = false }, want: doubts{dispatch.SliceUnread}},
		"an address on a later page":                  {lines: toAse, change: later("Ola Hansen", "Storgata 2", "7713 Steinkjer"), want: doubts{dispatch.SliceLater}},
		"a place of two names on a later page":        {lines: toAse, change: later("Ánne Biret Sara", "Markveien 1", "9730 Karasjok/Kárášjohka"), want: doubts{dispatch.SliceLater}},
		"an address in Sweden on a later page":        {lines: toAse, change: later("Eva Berg", "Sveavägen 1", "111 22 Stockholm"), want: doubts{dispatch.SliceLater}},
		"an address in Denmark on a later page":       {lines: toAse, change: later("Mette Holm", "Søgade 1", "DK-2100 København Ø"), want: doubts{dispatch.SliceLater}},
		"an address in Germany on a later page":       {lines: toAse, change: later("Anna Klein", "Lindenstraße 1", "10115 Berlin", "Tyskland"), want: doubts{dispatch.SliceLater}},
		"an address in Britain on a later page":       {lines: toAse, change: later("Ann Smith", "1 High Street", "London SW1A 1AA"), want: doubts{dispatch.SliceLater}},
		"another one abroad":                          {lines: []string{"Eva Berg", "Sveavägen 1", "SE-111 22 Stockholm", "Kopi til Åse Nordmann"}, want: doubts{dispatch.SliceAddress}},
		"amounts on a later page":                     {lines: toAse, change: later("Gebyr 12500 kroner", "12500 kroner i gebyr", "Til sammen 15000")},
		"a year on a later page":                      {lines: toAse, change: later("Regnskap 2026 i tusen kroner")},
		"an address below on a later page":            {lines: toAse, change: later("", "", "", "", "", "", "", "", "", "", "7713 Steinkjer")},
		"a second address":                            {lines: append(append([]string{}, toAse...), "Ola Hansen", "Storgata 2", "7725 Steinkjer"), want: doubts{dispatch.SliceTwo}},
		"a return address":                            {lines: append([]string{"Retur: Fjordvik kommune, Postboks 1, 7701 Steinkjer"}, toAse...)},
		"both":                                        {lines: []string{"Ola Hansen", "7713 Steinkjer"}, change: later("Åse Nordmann", "7713 Steinkjer"), want: doubts{dispatch.SliceUnnamed, dispatch.SliceLater}},
		"a file that is no part":                      {lines: []string{"Ola Hansen", "7713 Steinkjer"}, change: func(d *dispatch.Document) { d.Slice = 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shipmentTo(2, tt.lines...)
			d := s.Documents[0]
			d.Slice, d.Reading.LaterRead = 3, true
			if tt.change != nil {
				tt.change(&d)
			}
			for _, sheet := range []bool{true, false} {
				rules := dispatch.DefaultPrintRules()
				rules.CoverSheet = sheet
				if got := d.Doubts(rules, s.Recipient.Postal); !slices.Equal(got, tt.want) {
					t.Errorf("cover sheet %t: got %v, want %v", sheet, got, tt.want)
				}
			}
		})
	}
}
