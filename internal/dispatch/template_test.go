package dispatch_test

import (
	"slices"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

func TestValidateTemplate(t *testing.T) {
	t.Parallel()
	sound := dispatch.TemplateContent{Name: "Time", Text: "Hei ((fornavn))"}
	tests := map[string]struct {
		change func(*dispatch.TemplateContent)
		want   string // field and key, empty: none
	}{
		"in bokmål only":          {func(*dispatch.TemplateContent) {}, ""},
		"a pair":                  {func(c *dispatch.TemplateContent) { c.Nynorsk = "Hallo (( Fornavn ))" }, ""},
		"in nynorsk only":         {func(c *dispatch.TemplateContent) { c.Text, c.Nynorsk = "", "Hallo ((fornavn))" }, ""},
		"a field less in nynorsk": {func(c *dispatch.TemplateContent) { c.Nynorsk = "Hallo" }, "nynorsk problem.template.missing.nn"},
		"a field more in nynorsk": {func(c *dispatch.TemplateContent) { c.Nynorsk = "Hallo ((fornavn)) ((dato))" }, "tekst problem.template.missing.nb"},
		"the longest of all":      {func(c *dispatch.TemplateContent) { c.Text = strings.Repeat("x", 1600) }, ""},
		"without a name":          {func(c *dispatch.TemplateContent) { c.Name = " " }, "navn problem.template.name"},
		"a name too long":         {func(c *dispatch.TemplateContent) { c.Name = strings.Repeat("æ", 101) }, "navn problem.name.long"},
		"a name that is no text":  {func(c *dispatch.TemplateContent) { c.Name = "a\x00" }, "navn problem.template.name.characters"},
		"without a text":          {func(c *dispatch.TemplateContent) { c.Text = "\n" }, "tekst problem.template.text"},
		"a text of one":           {func(c *dispatch.TemplateContent) { c.Text = "x" }, "tekst problem.text.length"},
		"a text too long":         {func(c *dispatch.TemplateContent) { c.Text = strings.Repeat("x", 1601) }, "tekst problem.text.length"},
		"a nynorsk too long":      {func(c *dispatch.TemplateContent) { c.Nynorsk = strings.Repeat("x", 1601) }, "nynorsk problem.nynorsk.length"},
		"a nynorsk with a zero":   {func(c *dispatch.TemplateContent) { c.Nynorsk = "Hei\x00" }, "nynorsk problem.nynorsk.characters"},
		"a nynorsk of blanks":     {func(c *dispatch.TemplateContent) { c.Nynorsk = "  " }, "nynorsk problem.nynorsk.empty"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := sound
			tt.change(&c)
			got := ""
			for _, p := range c.Validate() {
				got += p.Field + " " + p.Key
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTidyTemplate(t *testing.T) {
	t.Parallel()
	got := dispatch.TidyTemplate(dispatch.TemplateContent{Name: " Time  i dag\n", Text: "\r\nHei\r\n\r\nHilsen oss \n", Nynorsk: " \n"})
	if want := (dispatch.TemplateContent{Name: "Time i dag", Text: "Hei\n\nHilsen oss"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want []string
	}{
		"none":                        {"Hei (du) der", nil},
		"each once, as it was first":  {"((Fornavn)) ((dato)) ((fornavn))", []string{"Fornavn", "dato"}},
		"with blanks":                 {"(( dato  og tid )) ((dato og tid))", []string{"dato og tid"}},
		"of several words":            {"((dato og tid))", []string{"dato og tid"}},
		"in Norwegian and Sami":       {"((fødselsår)) ((čálus))", []string{"fødselsår", "čálus"}},
		"within more parentheses":     {"(((navn)))", []string{"navn"}},
		"with a stroke":               {"((Dato/tid)) ((dato/tid))", []string{"Dato/tid"}},
		"never closed":                {"((fornavn) ((", nil},
		"empty":                       {"(()) ((  ))", nil},
		"over a line break":           {"((for\nnavn))", nil},
		"a sentence":                  {"((se vedlegg: side 2!))", []string{"se vedlegg: side 2!"}},
		"with brackets in its name":   {"((Beløp (kr))) ((frist:))", []string{"Beløp (kr)", "frist:"}},
		"with marks that nobody sees": {"((for\u00adnavn)) ((år\u200b)) ((Fornavn))", []string{"fornavn", "år"}},
		"longer than a name would be": {"((" + strings.Repeat("x", 61) + "))", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dispatch.Placeholders(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUnfilled(t *testing.T) {
	t.Parallel()
	if p := dispatch.Unfilled("Hei Ola (din venn)"); p != nil {
		t.Errorf("got %v, want none", p)
	}
	for _, text := range []string{"Hei ((fornavn), velkommen", "Hei ((fornavn), … (dato))", "Møt {{dato}}"} {
		if p := dispatch.Unfilled(text); p == nil || p.Key != "problem.text.written" {
			t.Errorf("%q: got %v", text, p)
		}
	}
	p := dispatch.Unfilled("Hei ((fornavn)), møt ((dato))")
	if p == nil || p.Field != dispatch.FieldText || p.Args["Name"] != "((fornavn)), ((dato))" || p.Args["N"] != 2 {
		t.Errorf("got %v, want both named", p)
	}
}

// TestStrayFields: a field that is not closed is named where it stands, whatever the other text has.
func TestStrayFields(t *testing.T) {
	t.Parallel()
	for _, c := range []dispatch.TemplateContent{
		{Text: "Hei ((fornavn), … (dato))"}, {Text: "Hei ((fornavn)), … ((dato)", Nynorsk: "Hei ((fornavn)), … ((dato))"},
		{Nynorsk: "Hei ((fornamn), kom ((dato))", Text: "Hei ((fornamn)), kom ((dato))"},
	} {
		c.Name = "Time"
		ps := c.Validate()
		if len(ps) != 1 || ps[0].Key != "problem.list.written" || !strings.HasPrefix(ps[0].Args["Name"].(string), "((") {
			t.Errorf("%+v: got %+v", c, ps)
		}
	}
	for text, as := range map[string]string{"Hei {{navn}}": "((navn))", "Hei ((møtested, kom": "((møtested))", "Hei [ Navn ]": "((navn))", "Hei $møtested": "((møtested))", "Hei {{dato}}": "((navn))"} {
		if p := dispatch.StrayProblem(dispatch.FieldText, text, []string{"navn", "møtested"}); p == nil || p.Args["As"] != as {
			t.Errorf("%s: got %v, want to be told %s", text, p, as)
		}
	}
	if ps := (dispatch.TemplateContent{Name: "Time", Text: "Hei ((fornavn)) (se vedlegg (side 2)) :(("}).Validate(); len(ps) > 0 {
		t.Errorf("got %+v", ps)
	}
}

// TestStrayInTitle: a field that is not closed in a title is a problem, to one and to a list.
func TestStrayInTitle(t *testing.T) {
	t.Parallel()
	f := dispatch.DraftFields{Title: "Vedtak for ((barn), 4. trinn", ExternalReference: "Sak (12)"}
	for _, columns := range [][]string{nil, {"barn"}} {
		if ps := f.Unfilled(columns); len(ps) != 1 || ps[0].Field != dispatch.FieldTitle || ps[0].Key != "problem.placeholder.written" {
			t.Errorf("%q: got %+v", columns, ps)
		}
	}
}

func TestMissingFields(t *testing.T) {
	t.Parallel()
	c := dispatch.TemplateContent{Text: "((fornavn)) ((dato))", Nynorsk: "((Fornavn)) ((stad))"}
	if got := c.Missing(dispatch.FormNynorsk); !slices.Equal(got, []string{"dato"}) {
		t.Errorf("nynorsk: got %q", got)
	}
	if got := c.Missing(dispatch.FormBokmal); !slices.Equal(got, []string{"stad"}) {
		t.Errorf("bokmål: got %q", got)
	}
	c.Nynorsk = ""
	if got := c.Missing(dispatch.FormBokmal); got != nil {
		t.Errorf("alone: got %q, want none", got)
	}
}
