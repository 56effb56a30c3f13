package dispatch_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

// shipmentTo is a shipment of one sound PDF of so many pages, whose window holds these lines.
func shipmentTo(pages int, lines ...string) dispatch.Shipment {
	r := &dispatch.FileReading{Version: "1.7", Tagged: true, Language: true, Text: true, Sizes: []dispatch.PageSize{{Width: 210, Height: 297, First: 1, Pages: pages}}}
	for i, line := range lines {
		for j, word := range strings.Fields(line) {
			r.Words = append(r.Words, dispatch.Word{Text: word, X: 25 + 15*float64(j), Y: 40 + 6*float64(i), Width: 10, Height: 4, Line: i})
		}
	}
	for range pages {
		r.Ink = append(r.Ink, dispatch.InkBounds{100, 30, 100, 30, 150})
	}
	s := dispatch.Shipment{Documents: []dispatch.Document{{ID: "a", MimeType: dispatch.MimePDF, Size: 1, Pages: pages, Reading: r}}}
	s.Recipient.Postal = dispatch.PostalAddress{Name: "Åse Nordmann", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer"}
	return s
}

// withoutSheet are the rules of an account whose first page shows in the window.
func withoutSheet() dispatch.PrintRules {
	rules := dispatch.DefaultPrintRules()
	rules.CoverSheet = false
	return rules
}

var toAse = []string{"Åse Nordmann", "Storgata 1", "7713 Steinkjer"}

// TestFindingsFollowRulesAndRecipient: one reading, with different accounts and forms.
func TestFindingsFollowRulesAndRecipient(t *testing.T) {
	t.Parallel()
	type change = func(*dispatch.Shipment, *dispatch.PrintRules)
	chosen := func(c dispatch.Check, s dispatch.Severity) change {
		return func(_ *dispatch.Shipment, r *dispatch.PrintRules) {
			r.Chosen = map[dispatch.Check]dispatch.Severity{c: s}
		}
	}
	reading := func(change func(*dispatch.FileReading)) change {
		return func(s *dispatch.Shipment, _ *dispatch.PrintRules) { change(s.Documents[0].Reading) }
	}
	both := func(a, b change) change {
		return func(s *dispatch.Shipment, r *dispatch.PrintRules) { a(s, r); b(s, r) }
	}
	for name, tt := range map[string]struct {
		change change
		want   string // check:severity of each
	}{
		"nothing of a sound shipment":                {func(*dispatch.Shipment, *dispatch.PrintRules) {}, ""},
		"another name when the recipient is changed": {func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Recipient.Postal.Name = "Ola Nordmann" }, "recipient:warning"},
		"another name as the account weighs it":      {both(chosen("recipient", "stop"), func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Recipient.Postal.Name = "Ola" }), "recipient:stop"},
		"nothing of what the account does not mind":  {both(chosen("recipient", "off"), func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Recipient.Postal.Name = "Ola" }), ""},
		"nothing before there is a recipient":        {func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Recipient.Postal.Name = "" }, ""},
		"text in a window that must be blank":        {chosen("blank", "stop"), "blank:stop"},
		"nothing of a window that is elsewhere":      {func(s *dispatch.Shipment, r *dispatch.PrintRules) { r.WindowTop, s.Recipient.Postal.Name = 100, "Ola" }, ""},
		"nothing of the window of a digital shipment": {func(s *dispatch.Shipment, _ *dispatch.PrintRules) {
			s.DigitalOnly, s.Recipient.Postal.Name = true, "Ola"
		}, ""},
		"nothing of the window of a file left out": {func(s *dispatch.Shipment, _ *dispatch.PrintRules) {
			s.Documents[0].ExcludeFromPrint, s.Recipient.Postal.Name = true, "Ola"
		}, ""},
		"a number in the window":            {reading(func(r *dispatch.FileReading) { r.Words[2].Text = "12847810082" }), "number:stop recipient:warning"},
		"a number as the account weighs it": {both(chosen("number", "warning"), reading(func(r *dispatch.FileReading) { r.Words[2].Text = "12847810082" })), "number:warning recipient:warning"},
		"nothing of digits in two columns": {reading(func(r *dispatch.FileReading) {
			r.Words = append(r.Words, dispatch.Word{Text: "128478", X: 25, Y: 70, Width: 10, Height: 4, Line: 9}, dispatch.Word{Text: "10082", X: 60, Y: 70, Width: 10, Height: 4, Line: 9})
		}), ""},
		"the words of the recipient in the lines of others": {reading(func(r *dispatch.FileReading) {
			relined(r, "Ola Nordmann", "v/ Åse Berg", "Storgata 1", "7713 Steinkjer")
		}), "recipient:warning"},
		"nothing of a name with its surname first":   {reading(func(r *dispatch.FileReading) { relined(r, "Nordmann, Åse Marie", "Storgata 1", "7713 Steinkjer") }), ""},
		"nothing of a name over two lines":           {reading(func(r *dispatch.FileReading) { relined(r, "Nordmann", "Åse", "Storgata 1", "7713 Steinkjer") }), ""},
		"ink in wider margins":                       {func(_ *dispatch.Shipment, r *dispatch.PrintRules) { r.SideMargin = 12 }, "margin:warning"},
		"ink at the top":                             {reading(func(r *dispatch.FileReading) { r.Ink[0][1] = 19 }), "margin:warning"},
		"nothing of ink that only touches":           {reading(func(r *dispatch.FileReading) { r.Ink[0][0] = 91 }), ""},
		"ink under a wider barcode":                  {func(_ *dispatch.Shipment, r *dispatch.PrintRules) { r.BarcodeWidth = 20 }, "barcode:warning"},
		"that nothing was drawn":                     {reading(func(r *dispatch.FileReading) { r.Ink = nil }), "margin:unchecked barcode:unchecked"},
		"that not all was drawn":                     {reading(func(r *dispatch.FileReading) { r.Ink = r.Ink[:1] }), "margin:unchecked barcode:unchecked"},
		"nothing of what the account would not mind": {both(chosen("margin", "off"), reading(func(r *dispatch.FileReading) { r.Ink = nil })), "barcode:unchecked"},
		"a small page where none may be":             {both(func(_ *dispatch.Shipment, r *dispatch.PrintRules) { r.Smaller = 0 }, reading(func(r *dispatch.FileReading) { r.Sizes[0].Width = 209 })), "size:stop"},
		"too many pages":                             {func(_ *dispatch.Shipment, r *dispatch.PrintRules) { r.MaxPages = 1 }, "pages:warning"},
		"that it was never read":                     {func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Documents[0].Reading = nil }, "read:unchecked"},
		"a picture in the window, and no word": {reading(func(r *dispatch.FileReading) {
			r.Words = nil
			r.Wordless = []dispatch.InkArea{{X: 25, Y: 50, Width: 30, Height: 5}}
		}), "window:unchecked"},
		"nothing of a line in the window, and no word": {reading(func(r *dispatch.FileReading) {
			r.Words = nil
			r.Wordless = []dispatch.InkArea{{X: 25, Y: 50, Width: 100, Height: 0.5}}
		}), ""},
		"nothing of a picture beside the recipient": {reading(func(r *dispatch.FileReading) {
			r.Wordless = []dispatch.InkArea{{X: 80, Y: 20, Width: 30, Height: 30}}
		}), ""},
		"text in the window that cannot be read": {reading(func(r *dispatch.FileReading) {
			r.Wordless = []dispatch.InkArea{{X: 25, Y: 60, Width: 30, Height: 5, Text: true}}
		}), "window:unchecked"},
		"nothing of text below the window that cannot be read": {reading(func(r *dispatch.FileReading) {
			r.Wordless = []dispatch.InkArea{{X: 25, Y: 120, Width: 30, Height: 5, Text: true}}
		}), ""},
		"that the objects were not searched":   {reading(func(r *dispatch.FileReading) { r.Unsearched = true }), "read:unchecked"},
		"a portfolio":                          {reading(func(r *dispatch.FileReading) { r.Active = []dispatch.Active{{Kind: dispatch.ActivePortfolio}} }), "portfolio:stop"},
		"that pages were not gone through":     {reading(func(r *dispatch.FileReading) { r.Unread.Add(2) }), "read:unchecked"},
		"nothing of a file that has a problem": {func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Documents[0].Found = dispatch.DocumentBroken }, ""},
		"scripts in a digital shipment, but not its fonts": {both(func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.DigitalOnly = true }, reading(func(r *dispatch.FileReading) {
			r.Active, r.Fonts = []dispatch.Active{{Kind: dispatch.ActiveScript}}, []dispatch.FontUse{{Name: "Calibri", Page: 1}}
		})), "script:warning"},
		"no organisation, as the account weighs it":                 {both(chosen("sign_reply", "warning"), func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Documents[0].Sign = true }), "sign_reply:warning"},
		"nothing where the account refuses it at the reply address": {func(s *dispatch.Shipment, _ *dispatch.PrintRules) { s.Documents[0].Sign = true }, ""},
		"nothing where an organisation gets what is signed": {both(chosen("sign_reply", "warning"), func(s *dispatch.Shipment, _ *dispatch.PrintRules) {
			s.Documents[0].Sign, s.ReplyTo = true, &dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}}
		}), ""},
	} {
		t.Run("finds "+name, func(t *testing.T) {
			t.Parallel()
			s, rules := shipmentTo(2, toAse...), withoutSheet()
			tt.change(&s, &rules)
			var got []string
			for _, f := range s.Findings(rules)["a"] {
				got = append(got, string(f.Check)+":"+string(f.Severity))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if stopped := len(s.Stopped(rules)) > 0; stopped != strings.Contains(tt.want, ":stop") {
				t.Errorf("stops: %t", stopped)
			}
		})
	}
}

// TestSigningNeedsAnOrganisation: an account or its generation may ask for one to which the signed document returns, before the
// document is chosen.
func TestSigningNeedsAnOrganisation(t *testing.T) {
	t.Parallel()
	person := &dispatch.Address{Digital: dispatch.DigitalAddress{NationalID: "12847810082"}}
	organization := &dispatch.Address{Digital: dispatch.DigitalAddress{OrganizationNumber: "974760673"}}
	for name, tt := range map[string]struct {
		over          dispatch.IntegrationKind
		weighs        dispatch.Severity
		asked, signed bool
		reply         *dispatch.Address
		refused       bool
	}{
		"nothing is signed":                          {over: dispatch.IntegrationShipmentV2},
		"it returns to nobody":                       {over: dispatch.IntegrationShipmentV2, signed: true, refused: true},
		"it is asked for without a document":         {over: dispatch.IntegrationShipmentV2, asked: true, refused: true},
		"it returns to a person":                     {over: dispatch.IntegrationShipmentV2, signed: true, reply: person, refused: true},
		"it returns to an organisation":              {over: dispatch.IntegrationShipmentV2, asked: true, signed: true, reply: organization},
		"the account only warns":                     {over: dispatch.IntegrationShipmentV2, weighs: dispatch.SeverityWarning, signed: true},
		"no account can put it off":                  {over: dispatch.IntegrationShipmentV2, weighs: dispatch.SeverityOff, signed: true, refused: true},
		"the account warns, its generation does not": {over: dispatch.IntegrationShipmentV3, weighs: dispatch.SeverityWarning, asked: true, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := dispatch.DefaultPrintRules()
			if tt.weighs != "" {
				rules.Chosen = map[dispatch.Check]dispatch.Severity{dispatch.CheckSignReply: tt.weighs}
			}
			s := dispatch.Shipment{Documents: []dispatch.Document{{ID: "a", Sign: tt.signed}}, ReplyTo: tt.reply}
			if got := (dispatch.Account{ShipmentKind: tt.over, PrintRules: &rules}).ValidateSigning(s, tt.asked); (got.For(dispatch.FieldReplyNumber) != nil) != tt.refused {
				t.Errorf("got %v", got)
			}
		})
	}
}

// relined returns a reading with its words on other lines.
func relined(r *dispatch.FileReading, lines ...string) {
	r.Words = shipmentTo(1, lines...).Documents[0].Reading.Words
}

// TestFindingsBehindACoverSheet: then nothing of ours shows in the window, but a shipment to another person is still
// found.
func TestFindingsBehindACoverSheet(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lines []string
		want  string
	}{
		"nothing of the recipient":                         {toAse, ""},
		"nothing of an older address":                      {[]string{"Åse Nordmann", "Lillegata 2", "0150 Oslo"}, ""},
		"nothing of a letterhead":                          {[]string{"Fjordvik kommune", "Barneverntjenesten", "Unntatt offentlighet"}, ""},
		"nothing of a date above a heading":                {[]string{"25. november 2026", "Vedtak om plass", "Skoleåret 2026", "Oppvekst og kultur"}, ""},
		"nothing of a date with its place":                 {[]string{"Vår dato 25. november 2026 Fjordvik"}, ""},
		"nothing of no words":                              {nil, ""},
		"another recipient":                                {[]string{"Ola Hansen", "Storgata 2", "7713 Steinkjer"}, "recipient:warning"},
		"another of the family":                            {[]string{"Ola Nordmann"}, "recipient:warning"},
		"another with the words of the right one":          {[]string{"Ola Nordmann", "v/ Åse Berg", "Storgata 1", "7713 Steinkjer"}, "recipient:warning"},
		"another whose words are spread":                   {[]string{"Åse Hansen", "v/ Per Nordmann", "Storgata 1", "7713 Steinkjer"}, "recipient:warning"},
		"another abroad":                                   {[]string{"Eva Berg", "Sveavägen 1", "111 22 Stockholm"}, "recipient:warning"},
		"nothing of the right one behind a unit's name":    {[]string{"Barneverntjenesten", "Åse Nordmann", "Storgata 1", "7713 Steinkjer"}, ""},
		"another though the text names the right one":      {[]string{"Ola Hansen", "Storgata 2", "7713 Steinkjer", "", "", "", "", "", "", "", "", "Om Åse Nordmann"}, "recipient:warning"},
		"nothing of the family in a text to the right one": {[]string{"Til familien Nordmann", "", "", "", "", "", "", "", "", "", "", "Kjære Åse Nordmann"}, ""},
		"a number at the top of the page":                  {append([]string{"128478 10082"}, toAse...), "inside:tip"},
		"a number below what would be the window":          {append(append([]string{}, toAse...), "", "", "", "", "", "", "", "", "128478 10082"), "inside:tip"},
		"nothing of a bank account number":                 {append([]string{"Bankkonto 1234 56 70058"}, toAse...), ""},
	} {
		t.Run("finds "+name, func(t *testing.T) {
			t.Parallel()
			s := shipmentTo(1, tt.lines...)
			var got []string
			for _, f := range s.Findings(dispatch.DefaultPrintRules())["a"] {
				got = append(got, string(f.Check)+":"+string(f.Severity))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("finds nothing of a scanned page", func(t *testing.T) {
		t.Parallel()
		s := shipmentTo(1)
		s.Documents[0].Reading.Text = false
		if got := s.Findings(dispatch.DefaultPrintRules())["a"]; len(got) > 0 {
			t.Errorf("got %v", got)
		}
	})
}

// TestOnlyTheFirstPrintedFileHasTheWindow: pages behind it do not show.
func TestOnlyTheFirstPrintedFileHasTheWindow(t *testing.T) {
	t.Parallel()
	s := shipmentTo(1, "Ola Nordmann")
	behind := shipmentTo(1, "12847810082").Documents[0]
	behind.ID = "b"
	s.Documents = append(s.Documents, behind)
	if got := s.Stopped(withoutSheet()); len(got) > 0 {
		t.Errorf("the file behind stops it: %v", got)
	}
	s.Documents[0].ExcludeFromPrint = true
	if got := s.Stopped(withoutSheet()).For("dok-b"); got == nil {
		t.Error("nothing stops it when that file is the first")
	}
}

func TestComparesWindowWordByWord(t *testing.T) {
	t.Parallel()
	words := func(list []dispatch.WindowWord) string {
		var b strings.Builder
		for _, w := range list {
			b.WriteString(map[bool]string{true: " ", false: " !"}[w.Match] + w.Text)
		}
		return strings.TrimSpace(b.String())
	}
	for _, tt := range []struct {
		name        string
		lines       []string
		typed, read string
		same        bool
	}{
		{"the same", toAse, "Åse Nordmann Storgata 1 7713 Steinkjer", "Åse Nordmann Storgata 1 7713 Steinkjer", true},
		{"letter case and punctuation do not count", []string{"ÅSE NORDMANN,", "storgata 1.", "7713 Steinkjer"}, "Åse Nordmann Storgata 1 7713 Steinkjer", "ÅSE NORDMANN, storgata 1. 7713 Steinkjer", true},
		{"a word that is missing", []string{"Åse Nordmann", "7713 Steinkjer"}, "Åse Nordmann !Storgata !1 7713 Steinkjer", "Åse Nordmann 7713 Steinkjer", false},
		{"a word more", append([]string{"Att: Kari"}, toAse...), "Åse Nordmann Storgata 1 7713 Steinkjer", "!Att: !Kari Åse Nordmann Storgata 1 7713 Steinkjer", false},
		{"a word that is there twice counts once", append([]string{"Nordmann"}, "Åse"), "Åse Nordmann !Storgata !1 !7713 !Steinkjer", "Nordmann Åse", false},
		{"digits are hidden where there is a national identity number", []string{"128478 10082 Åse"}, "Åse !Nordmann !Storgata !1 !7713 !Steinkjer", "!•••••• !••••• Åse", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := shipmentTo(1, tt.lines...)
			w := s.Documents[0].Reading.Window(withoutSheet(), s.Recipient.Postal)
			if w == nil || words(w.Typed) != tt.typed || words(w.Read) != tt.read {
				t.Errorf("got %+v\nwant %q and %q", w, tt.typed, tt.read)
			}
			if w.Same() != tt.same {
				t.Errorf("the same: %v", !tt.same)
			}
		})
	}
}

// TestWindowBeforeTheRecipient: before a recipient is typed, words in the window are nobody's address, and no address is missing.
func TestWindowBeforeTheRecipient(t *testing.T) {
	t.Parallel()
	s := shipmentTo(1, toAse...)
	if w := s.Documents[0].Reading.Window(dispatch.DefaultPrintRules(), dispatch.PostalAddress{}); w == nil || w.Same() || w.Missing() {
		t.Errorf("got %+v, want words of no recipient", w)
	}
}

// TestReadingsAreChecked: they come from a process that has read the untrusted file.
func TestReadingsAreChecked(t *testing.T) {
	t.Parallel()
	sound := func() dispatch.FileReading {
		r := *shipmentTo(2, toAse...).Documents[0].Reading
		r.Ink = nil
		return r
	}
	if err := sound().Check(2); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*dispatch.FileReading){
		"more pages than there are": func(r *dispatch.FileReading) { r.Sizes[0].Pages = 3 },
		"a size of nothing":         func(r *dispatch.FileReading) { r.Sizes[0].Width = 0 },
		"no size":                   func(r *dispatch.FileReading) { r.Sizes = nil },
		"a page that is not there":  func(r *dispatch.FileReading) { r.Scanned = dispatch.PageSet{Count: 1, First: []int{3}} },
		"fewer pages than it names": func(r *dispatch.FileReading) { r.Scanned = dispatch.PageSet{Count: 1, First: []int{1, 2}} },
		"a font with control signs": func(r *dispatch.FileReading) { r.Fonts = []dispatch.FontUse{{Name: "a\x1b", Page: 1}} },
		"a word without end":        func(r *dispatch.FileReading) { r.Words[0].Text = strings.Repeat("a", 1000) },
		"too many words":            func(r *dispatch.FileReading) { r.Words = make([]dispatch.Word, dispatch.MaxWords+1) },
		"active content of no kind": func(r *dispatch.FileReading) { r.Active = []dispatch.Active{{Kind: "x"}} },
		"a version that is a poem":  func(r *dispatch.FileReading) { r.Version = "1.7 or something" },
		"more ink than pages":       func(r *dispatch.FileReading) { r.Ink = make([]dispatch.InkBounds, 3) },
		"ink without end":           func(r *dispatch.FileReading) { r.Wordless = []dispatch.InkArea{{X: math.Inf(1)}} },
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			r := sound()
			if change(&r); r.Check(2) == nil {
				t.Error("it passes")
			}
		})
	}
}

func TestValidatesPrintRules(t *testing.T) {
	t.Parallel()
	if ps := dispatch.DefaultPrintRules().Validate(); len(ps) > 0 {
		t.Errorf("the ordinary rules have problems: %v", ps)
	}
	for field, change := range map[string]func(*dispatch.PrintRules){
		dispatch.FieldSideMargin:        func(r *dispatch.PrintRules) { r.SideMargin = 51 },
		dispatch.FieldWindowTop:         func(r *dispatch.PrintRules) { r.WindowTop = -1 },
		dispatch.FieldSeverity + "size": func(r *dispatch.PrintRules) { r.Chosen = map[dispatch.Check]dispatch.Severity{"size": "unchecked"} },
	} {
		rules := dispatch.DefaultPrintRules()
		change(&rules)
		if rules.Validate().For(field) == nil {
			t.Errorf("%s has no problem", field)
		}
	}
}

func TestWhatWasNotCheckedIsNeverReady(t *testing.T) {
	t.Parallel()
	finding := func(s dispatch.Severity) dispatch.Finding { return dispatch.Finding{Severity: s} }
	for _, tt := range []struct {
		findings []dispatch.Finding
		want     dispatch.Severity
	}{
		{nil, ""},
		{[]dispatch.Finding{finding("tip")}, "tip"},
		{[]dispatch.Finding{finding("tip"), finding("unchecked")}, "unchecked"},
		{[]dispatch.Finding{finding("unchecked"), finding("warning")}, "warning"},
		{[]dispatch.Finding{finding("warning"), finding("stop"), finding("tip")}, "stop"},
	} {
		if got := dispatch.Worst(tt.findings); got != tt.want {
			t.Errorf("%v come to %q, want %q", tt.findings, got, tt.want)
		}
	}
}

func TestAddressed(t *testing.T) {
	t.Parallel()
	for want, windows := range map[bool][][]string{
		true: {{"Kari Nordmann", "Storgata 1", "7713 STEINKJER"}, {"Kari", "7713", "Steinkjer"}, {"0150 Oslo"},
			{"Kari Nordmann, Storgata 1, 7713 Mo i Rana"}, {"N-7713 Steinkjer"}},
		false: {{"25. november 2026 Fjordvik"}, {"25.11. 2026 Fjordvik"}, {"Skoleåret 2026", "Vedtak"}, {"Budsjett 2026 Drift og vedlikehold av veier"}, {"Til alle foreldre"}, {"Sak 2026/1234"}, {"Skoleåret 2026"}, {"Møte 12.10.2026"}, nil},
	} {
		for _, lines := range windows {
			if got := (dispatch.WindowText{Lines: lines}).Addressed(); got != want {
				t.Errorf("%q: got %t", lines, got)
			}
		}
	}
}
