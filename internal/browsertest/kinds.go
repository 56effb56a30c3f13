package browsertest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A kind of elements is tag, classes, role, states and ancestors, without texts and ids. The browser counts the kinds of the page
// that it shows (kindsOf), and Fresh those of pages that it does not show.

// told are the attributes whose values belong to a kind. Of other attributes only the name does.
var told = []string{"class", "role", "type", "scope", "tabindex", "lang", "aria-hidden", "aria-current", "aria-invalid", "data-color"}

// longWord is how many characters a word may have before it makes a kind of its own: it may overflow.
const longWord = 24

// kindsOf is a JavaScript function that returns the kinds of all elements of a document, in order, each with its
// element.
var kindsOf = `(doc) => {
	const told = new Set(["` + strings.Join(told, `", "`) + `"]), longWord = ` + fmt.Sprint(longWord) + `;
	const hash = (parent, text) => { // cyrb53, seeded with the parent's hash: 53 bits, which a number can hold
		let a = 0xdeadbeef ^ parent, b = 0x41c6ce57 ^ (parent / 4294967296);
		for (let i = 0; i < text.length; i++) {
			const c = text.charCodeAt(i);
			a = Math.imul(a ^ c, 2654435761);
			b = Math.imul(b ^ c, 1597334677);
		}
		a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
		b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
		return 4294967296 * (2097151 & b) + (a >>> 0);
	};
	const found = [];
	const walk = (e, above) => {
		const attributes = [...e.attributes].map((a) => told.has(a.name) ? a.name + "=" + a.value : a.name).sort();
		const texts = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data).join(" ");
		const longest = Math.max(0, ...texts.split(/\s+/).map((w) => w.length));
		const here = hash(above, e.localName + "[" + attributes.join(" ") + "]");
		found.push([hash(here, longest > longWord ? "long" : longest > 0 ? "text" : ""), e]);
		for (const child of e.children) walk(child, here);
	};
	walk(doc.body, 0);
	return found;
}`

// kinds adds the kinds of an element and of all within it to found; above is the kind of its parent.
func kinds(e *html.Node, above uint64, found map[uint64]bool) {
	var attributes []string
	for _, a := range e.Attr {
		text := a.Key
		if slices.Contains(told, a.Key) {
			text += "=" + a.Val
		}
		attributes = append(attributes, text)
	}
	slices.Sort(attributes)
	h := fnv.New64a()
	fmt.Fprintf(h, "%x %s%q", above, e.Data, attributes)
	here := h.Sum64()
	longest := 0
	for child := range e.ChildNodes() {
		switch child.Type {
		case html.ElementNode:
			kinds(child, here, found)
		case html.TextNode:
			for word := range strings.FieldsSeq(child.Data) {
				longest = max(longest, utf8.RuneCountInString(word))
			}
		}
	}
	fmt.Fprint(h, longest > longWord, longest > 0)
	found[h.Sum64()] = true
}

// addKinds adds the kinds of all elements of a page, given as HTML.
func addKinds(page string, found map[uint64]bool) error {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return err
	}
	for e := range doc.Descendants() {
		if e.DataAtom == atom.Body {
			kinds(e, 0, found)
			break
		}
	}
	return nil
}

// Fresh returns the addresses of pages that together hold all kinds of elements: each time that of the page with most kinds that none
// before it holds. The pages are HTML by address.
func Fresh(pages map[string]string) ([]string, error) {
	left := map[string]map[uint64]bool{} // the kinds of each page that none of the chosen ones holds
	for address, page := range pages {
		left[address] = map[uint64]bool{}
		if err := addKinds(page, left[address]); err != nil {
			return nil, fmt.Errorf("%s: %w", address, err)
		}
	}
	var chosen []string
	for len(left) > 0 {
		most := slices.MinFunc(slices.Sorted(maps.Keys(left)), func(a, b string) int { return cmp.Compare(len(left[b]), len(left[a])) })
		if len(left[most]) == 0 {
			break
		}
		chosen = append(chosen, most)
		for kind := range left[most] {
			for _, held := range left {
				delete(held, kind)
			}
		}
	}
	return chosen, nil
}
