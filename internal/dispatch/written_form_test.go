package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestFormColumn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		columns []string
		want    int
	}{
		"none":                     {[]string{"fornavn", "språket mitt er", "merknad"}, -1},
		"no columns":               {nil, -1},
		"the usual word":           {[]string{"fornavn", "målform"}, 1},
		"one of several words":     {[]string{"ønsket målform"}, 0},
		"written in another way":   {[]string{"fornavn", "Maalform"}, 1},
		"between signs":            {[]string{"målform/språk"}, 0},
		"the more certain of two":  {[]string{"språk", "målform"}, 1},
		"the leftmost of the same": {[]string{"språk hjemme", "språk i brev"}, 0},
	} {
		if got := dispatch.FormColumn(tt.columns); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}

func TestParseForm(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]dispatch.WrittenForm{
		"bokmål": dispatch.FormBokmal, " Bokmål ": dispatch.FormBokmal, "NB": dispatch.FormBokmal, "nb-NO": dispatch.FormBokmal, "bm.": dispatch.FormBokmal,
		"nynorsk": dispatch.FormNynorsk, "Nynorsk": dispatch.FormNynorsk, "nn": dispatch.FormNynorsk, "nn-NO": dispatch.FormNynorsk,
		"": "", " ": "", "norsk": "", "engelsk": "", "no": "", "bokmål/nynorsk": "",
	} {
		if got := dispatch.ParseForm(cell); got != want {
			t.Errorf("%q: got %q, want %q", cell, got, want)
		}
	}
}

// TestSecondText: a row gets the form that it says; one that says none gets what was chosen, and is counted.
func TestSecondText(t *testing.T) {
	t.Parallel()
	one, two := dispatch.SecondText{Otherwise: dispatch.FormNynorsk}, dispatch.SecondText{Nynorsk: "Hallo", Otherwise: dispatch.FormNynorsk}
	if one.Of(dispatch.FormNynorsk) != dispatch.FormBokmal {
		t.Error("without a second text all get the first")
	}
	var n dispatch.FormCounts
	for _, said := range []dispatch.WrittenForm{dispatch.FormBokmal, dispatch.FormNynorsk, "", ""} {
		n.Add(two, said)
	}
	if want := (dispatch.FormCounts{Bokmal: 1, Nynorsk: 3, Unsaid: 2}); n != want {
		t.Errorf("got %+v, want %+v", n, want)
	}
	if (dispatch.SecondText{Nynorsk: "Hallo"}).Of("") != dispatch.FormBokmal {
		t.Error("bokmål is the default")
	}
}

// TestTitlesOfAShipment: one of two titles is sent, problems stand at it, and a row's own form chooses.
func TestTitlesOfAShipment(t *testing.T) {
	t.Parallel()
	f := dispatch.DraftFields{Title: "Vedtak ((navn))", TitleNynorsk: "Vedtak til ((navn)) på nynorsk"}
	columns := []string{"navn", "målform"}
	for _, tt := range []struct {
		form             dispatch.WrittenForm
		values           []string
		want, notMissing string
	}{
		{"", []string{"Ola", "nynorsk"}, "Vedtak til Ola på nynorsk", ""},
		{"", []string{"Ola", "nb"}, "Vedtak Ola", ""},
		{"", []string{"Ola", ""}, "Vedtak Ola", ""},
		{dispatch.FormNynorsk, []string{"Ola", "?"}, "Vedtak til Ola på nynorsk", ""},
		{dispatch.FormNynorsk, []string{"Ola", "bokmål"}, "Vedtak Ola", ""},
	} {
		f.Form = tt.form
		if filled, missing := f.Fill(columns, tt.values); filled.OwnTitle() != tt.want || missing != "" {
			t.Errorf("%q, %q: got %q, missing %q", tt.form, tt.values, filled.OwnTitle(), missing)
		}
	}
	other := dispatch.DraftFields{Title: "Vedtak", TitleNynorsk: "Vedtak ((stad))"}
	if _, missing := other.Fill([]string{"målform", "stad"}, []string{"nb", ""}); missing != "" {
		t.Errorf("a field of the title that nobody reads is missed: %q", missing)
	}
	if p := other.TitleProblem(); p == nil || p.Field != dispatch.FieldTitle {
		t.Errorf("as a template: got %v", p)
	}
	if alone := (dispatch.DraftFields{TitleNynorsk: "Vedtak"}); alone.OwnTitle() != "Vedtak" || alone.BothTitles() {
		t.Error("a title in nynorsk alone is not sent")
	}
}
