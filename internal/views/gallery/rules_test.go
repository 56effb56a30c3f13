package gallery

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// houseRules hold for every page. A rule returns the violations.
var houseRules = []struct {
	name   string
	pages  bool // not for fragments
	broken func(doc *goquery.Document) []string
}{
	{"one h1", true, func(doc *goquery.Document) []string {
		if n := doc.Find("h1").Length(); n != 1 {
			return []string{fmt.Sprintf("there are %d", n)}
		}
		return nil
	}},
	{"the title agrees with the h1", true, titleDiffers},
	{"headings skip no level", true, skippedLevels},
	{"every id is there once", false, doubleIDs},
	{"what an id is named for is there", true, danglingIDs},
	{"links within the page lead somewhere", true, danglingLinks},
	{"every form says where it goes", false, each("form", func(s *goquery.Selection) bool {
		method := s.AttrOr("method", "")
		filter := method == "get" && s.AttrOr("role", "") == "search" // its address can be shared
		return strings.HasPrefix(s.AttrOr("action", ""), "/") && (method == "post" || filter)
	})},
	{"every field has a label", true, unlabelled},
	{"every button says what it does", false, each("button", func(s *goquery.Selection) bool {
		return strings.TrimSpace(s.Text())+s.AttrOr("aria-label", "") != "" && slices.Contains([]string{"submit", "button"}, s.AttrOr("type", ""))
	})},
	{"every link has an address, or says that it is off", false, each(`a:not([rel~="external"])`, func(s *goquery.Selection) bool {
		href, has := s.Attr("href")
		return has && (strings.HasPrefix(href, "/") || strings.HasPrefix(href, "#")) || s.AttrOr("aria-disabled", "") == "true"
	})},
	{"links out of the application tell nobody where they come from", false, each(`a[rel~="external"]`, func(s *goquery.Selection) bool {
		return strings.HasPrefix(s.AttrOr("href", ""), "https://") && s.Is(`[rel~="noreferrer"][rel~="noopener"]`)
	})},
	{"a sentence is parted from the link or the time after it", false, each("p a, p time, li a, li time, dd a, dd time", func(s *goquery.Selection) bool { return !touches(s) })},
	{"a figure is parted from its word", false, each(".figures small", func(s *goquery.Selection) bool { return !grownTogether.MatchString(s.Text()) })},
	{"no style attribute", false, each("[style], style", func(*goquery.Selection) bool { return false })},
	{"no inline script", false, each("script", func(s *goquery.Selection) bool {
		return strings.HasPrefix(s.AttrOr("src", ""), "/static/") && s.Text() == ""
	})},
	{"no handlers in attributes", false, eventHandlers},
	{"every picture has a text, if an empty one", false, each("img", func(s *goquery.Selection) bool { _, has := s.Attr("alt"); return has })},
	{"drawn icons are hidden from screen readers", false, each("svg", func(s *goquery.Selection) bool { return s.AttrOr("aria-hidden", "") == "true" })},
	{"every table has a caption and scoped headers", false, each("table", func(s *goquery.Selection) bool {
		return s.Find("caption").Length() == 1 && s.Find("th").Length() > 0 && s.Find("th:not([scope])").Length() == 0
	})},
	{"every time can be read by machines", false, each("time", func(s *goquery.Selection) bool {
		return machineTime.MatchString(s.AttrOr("datetime", ""))
	})},
	{"every icon is in the sprite", false, unknownIcons},
	{"no sentence above a form is said of two fields, and so leaves open which is wrong", false, ambiguousSummary},
	{"sections have names", true, each("section[aria-labelledby], section[aria-label]", func(s *goquery.Selection) bool {
		return s.AttrOr("aria-labelledby", "")+s.AttrOr("aria-label", "") != ""
	})},
	{"what is current says how", false, each("[aria-current]", func(s *goquery.Selection) bool {
		return slices.Contains([]string{"page", "step", "true"}, s.AttrOr("aria-current", ""))
	})},
	{"the language is told", true, each("html", func(s *goquery.Selection) bool { return s.AttrOr("lang", "") == "nb" })},
}

var machineTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$`)

// touches tells whether an element within a sentence stands right behind a word or a full stop, which templ does where two lines of a
// template become one.
func touches(s *goquery.Selection) bool {
	n := s.Get(0).PrevSibling
	if n == nil || n.Type != html.TextNode || s.Parent().Is(".row, .actions") {
		return false
	}
	before := []rune(n.Data)
	last := before[len(before)-1]
	return unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(".:,;!?)»", last)
}

var grownTogether = regexp.MustCompile(`\d\pL`)

// missingText finds a key without a text ("[sms.nothing]"), and the output of templates and fmt for missing values.
var missingText = regexp.MustCompile(`\[[a-z_]*(\.[A-Za-z0-9_.-]+)*\]|&lt;no value&gt;|<no value>|%!|0001-01-01|01\.01\.0001`)

func TestGalleryFollowsTheHouseRules(t *testing.T) {
	t.Parallel()
	for _, e := range allShown(t) {
		t.Run(e.path, func(t *testing.T) {
			t.Parallel()
			doc, err := goquery.NewDocumentFromReader(strings.NewReader(e.html))
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range houseRules {
				if e.part && rule.pages {
					continue
				}
				for _, what := range rule.broken(doc) {
					t.Errorf("%s: %s", rule.name, what)
				}
			}
			for _, m := range missingText.FindAllString(e.html, -1) {
				t.Errorf("a text or a value is missing: %s", m)
			}
		})
	}
}

// unknownIcons are references to icons that the sprite of the assets lacks.
func unknownIcons(doc *goquery.Document) (broken []string) {
	known := sprite()
	doc.Find("svg use").Each(func(_ int, s *goquery.Selection) {
		if address := s.AttrOr("href", ""); !known[address] {
			broken = append(broken, fmt.Sprintf("no icon %q", address))
		}
	})
	return broken
}

// sprite is the set of addresses of all icons.
var sprite = sync.OnceValue(func() map[string]bool {
	g, err := New()
	if err != nil {
		panic(err) // TestGallery fails with it too
	}
	path := g.assets.Path("icons.svg")
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`id="([^"]*)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		known[path+"#"+m[1]] = true
	}
	return known
})

// ambiguousSummary are sentences of the summary of errors that lead to two fields.
func ambiguousSummary(doc *goquery.Document) (broken []string) {
	said := map[string]string{} // the field of each sentence
	doc.Find(".ds-error-summary li a").Each(func(_ int, link *goquery.Selection) {
		field := link.AttrOr("href", "")
		if other := said[link.Text()]; other != "" && other != field {
			broken = append(broken, fmt.Sprintf("%q of %s and of %s", link.Text(), other, field))
		}
		said[link.Text()] = field
	})
	return broken
}

// each is a rule for every element that a selector finds.
func each(selector string, holds func(*goquery.Selection) bool) func(*goquery.Document) []string {
	return func(doc *goquery.Document) (broken []string) {
		doc.Find(selector).Each(func(_ int, s *goquery.Selection) {
			if !holds(s) {
				broken = append(broken, describe(s))
			}
		})
		return broken
	}
}

// describe is the beginning of an element's HTML.
func describe(s *goquery.Selection) string {
	html, err := goquery.OuterHtml(s)
	if err != nil {
		return err.Error()
	}
	return string([]rune(html)[:min(len([]rune(html)), 160)])
}

// titleDiffers: "Heading – Utsending", after "Feil: " when the form has problems.
func titleDiffers(doc *goquery.Document) []string {
	title := strings.TrimSpace(doc.Find("title").Text())
	want := strings.TrimSpace(doc.Find("h1").Text()) + " – Utsending"
	if doc.Find(".ds-error-summary").Length() > 0 {
		want = "Feil: " + want
	}
	if title != want {
		return []string{fmt.Sprintf("got %q, want %q", title, want)}
	}
	return nil
}

func skippedLevels(doc *goquery.Document) (broken []string) {
	before := 1
	doc.Find("main h1, main h2, main h3, main h4").Each(func(_ int, s *goquery.Selection) {
		level := int(goquery.NodeName(s)[1] - '0')
		if level > before+1 {
			broken = append(broken, describe(s))
		}
		before = level
	})
	return broken
}

func doubleIDs(doc *goquery.Document) (broken []string) {
	seen := map[string]bool{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
		id := s.AttrOr("id", "")
		if id == "" || strings.ContainsAny(id, " \t\n") || seen[id] {
			broken = append(broken, describe(s))
		}
		seen[id] = true
	})
	return broken
}

// idsOf are the ids of a page.
func idsOf(doc *goquery.Document) map[string]bool {
	ids := map[string]bool{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")] = true })
	return ids
}

func danglingIDs(doc *goquery.Document) (broken []string) {
	there := idsOf(doc)
	for _, attribute := range []string{"aria-describedby", "aria-labelledby", "aria-controls", "for", "popovertarget", "data-viser", "list"} {
		doc.Find("[" + attribute + "]").Each(func(_ int, s *goquery.Selection) {
			ids := strings.Fields(s.AttrOr(attribute, ""))
			if len(ids) == 0 {
				broken = append(broken, attribute+" is empty: "+describe(s))
			}
			for _, id := range ids {
				if !there[id] {
					broken = append(broken, fmt.Sprintf("%s=%q: %s", attribute, id, describe(s)))
				}
			}
		})
	}
	return broken
}

func danglingLinks(doc *goquery.Document) (broken []string) {
	there := idsOf(doc)
	doc.Find(`a[href^="#"]`).Each(func(_ int, s *goquery.Selection) {
		if !there[strings.TrimPrefix(s.AttrOr("href", ""), "#")] {
			broken = append(broken, describe(s))
		}
	})
	return broken
}

func unlabelled(doc *goquery.Document) (broken []string) {
	labels := map[string]string{}
	doc.Find("label[for]").Each(func(_ int, s *goquery.Selection) { labels[s.AttrOr("for", "")] += s.Text() })
	doc.Find("input:not([type=hidden]), select, textarea, meter, progress").Each(func(_ int, s *goquery.Selection) {
		if strings.TrimSpace(labels[s.AttrOr("id", "")]+s.AttrOr("aria-label", "")) == "" {
			broken = append(broken, describe(s))
		}
	})
	return broken
}

func eventHandlers(doc *goquery.Document) (broken []string) {
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
				broken = append(broken, describe(s))
			}
		}
	})
	return broken
}
