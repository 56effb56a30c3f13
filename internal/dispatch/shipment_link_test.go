package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestValidateShipmentLinks(t *testing.T) {
	t.Parallel()
	links := func(links ...dispatch.Link) func(*dispatch.Shipment) {
		return func(s *dispatch.Shipment) { s.Links = links }
	}
	good := dispatch.Link{URL: "https://fjordvik.example/klage", Text: "Klag her"}
	to := func(url string) func(*dispatch.Shipment) { return links(good, dispatch.Link{URL: url, Text: "a"}) }
	checkShipments(t, map[string]shipmentCase{
		"takes https":                {change: links(good)},
		"takes http":                 {change: to("http://fjordvik.example")},
		"takes ftp":                  {change: to("ftp://fjordvik.example/skjema")},
		"takes HTTPS in capitals":    {change: to("HTTPS://fjordvik.example")},
		"refuses javascript":         {to("javascript:alert(1)"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses javascript on host": {to("javascript://x/alert(1)"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses mailto":             {to("mailto:post@fjordvik.example"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses no host":            {to("https:///klage"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses a port alone":       {to("https://:443/klage"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses no scheme":          {to("fjordvik.example"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses a blank":            {to("https://fjordvik.example/min klage"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses what cannot be url": {to("https://fjordvik.example:x"), "lenke-1-adresse", "problem.link.url", nil},
		"refuses no address":         {to(""), "lenke-1-adresse", "problem.link.empty", nil},
		"refuses no text":            {links(dispatch.Link{URL: good.URL, Text: " "}), "lenke-0-tekst", "problem.link.text", nil},
	})
}

// TestPlainLink: an address as RFC 2396 has it, escaped once.
func TestPlainLink(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"https://fjordvik.example":                     "https://fjordvik.example",
		"https://fjordvik.example/a%20b?c=d&e=f#g":     "https://fjordvik.example/a%20b?c=d&e=f#g",
		"https://fjordvik.example/søk?q={a|b}":         "https://fjordvik.example/s%C3%B8k?q=%7Ba%7Cb%7D",
		"https://[2001:db8::1]:8080/x[1]":              "https://[2001:db8::1]:8080/x%5B1%5D",
		"https://fjordvik.example/100%?x=\"y\"#a#b":    "https://fjordvik.example/100%25?x=%22y%22#a%23b",
		"ftp://fjordvik.example/~kari/(1)/a'b;c,d$e+f": "ftp://fjordvik.example/~kari/(1)/a'b;c,d$e+f",
	} {
		if got := dispatch.PlainLink(typed); got != want {
			t.Errorf("%s: got %s, want %s", typed, got, want)
		}
		if got := dispatch.PlainLink(want); got != want {
			t.Errorf("%s: escaped twice: %s", want, got)
		}
	}
}
