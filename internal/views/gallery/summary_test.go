package gallery

import (
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// TestSummariesNameTheField: no sentence above a form is said of two fields, and so leaves open which is wrong.
func TestSummariesNameTheField(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	for _, e := range g.entries {
		_, doc := g.shown(t, e)
		said := map[string]string{} // the field of each sentence
		doc.Find(".ds-error-summary li a").Each(func(_ int, link *goquery.Selection) {
			field := link.AttrOr("href", "")
			if other := said[link.Text()]; other != "" && other != field {
				t.Errorf("%s says %q of %s and of %s", e.path, link.Text(), other, field)
			}
			said[link.Text()] = field
		})
	}
}
