package simulator

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

// Limits of the shipment specification.
const (
	maxFileName    = 226
	MaxBillingCode = 20
	minSigning     = 24 * time.Hour
	signingSlack   = time.Minute // a sender that adds one day to its clock is not late
)

// Rule is one rule for a submission, with the answer to its violation.
type Rule struct {
	Text   string
	Answer string // "400", or "AVVIST": accepted, and the status becomes AVVIST
}

// Told is a table of rules, with those for the content.
func Told(rules []Check) []Rule {
	var all []Rule
	for _, r := range append(rules, contentRules()...) {
		answer := "400"
		if r.rejects {
			answer = shipmentRejected
		}
		all = append(all, Rule{Text: r.Text, Answer: answer})
	}
	return all
}

// Size is the size of the documents as received, decrypted.
func (t Terms) Size() int64 {
	var size int64
	for _, d := range t.documents {
		size += d.content()
	}
	return size
}

// SignsTooSoon tells whether a deadline for signing is less than a day ahead.
func (t Terms) SignsTooSoon(by time.Time) bool {
	return by.Before(t.now.Add(minSigning - signingSlack))
}

// Check is a rule with its test.
type Check struct {
	Text    string
	rejects bool
	Broken  func(l *Metadata, t Terms) bool
}

// Terms are the circumstances on which rules depend.
type Terms struct {
	now            time.Time
	Strict         bool // the specification counts where the deployed service is more lenient
	refuseExcluded bool
	printLimit     int64
	documents      []Document // as received; for the rules about content
}

func (s *Simulator) terms() Terms {
	o := s.Options
	return Terms{
		now: o.Now(), Strict: o.Wire == WireSpec, refuseExcluded: o.RefuseExcluded, printLimit: o.PrintLimit,
	}
}

// breach returns the text of the first violated rule of one kind, or empty.
func breach(rules []Check, rejects bool, l *Metadata, t Terms) string {
	for _, r := range rules {
		if r.rejects == rejects && r.Broken(l, t) {
			return r.Text
		}
	}
	return ""
}

// Rejections are the rules of the metadata whose violation is accepted at first.
func Rejections() []Check {
	rule := func(text string, broken func(*Metadata) bool) Check {
		return Check{Text: text, rejects: true, Broken: func(l *Metadata, _ Terms) bool { return broken(l) }}
	}
	return []Check{
		rule("svarPaForsendelseLink without an organisation number in svarSendesTil", func(l *Metadata) bool {
			return l.ReplyLink && (l.ReplyTo == nil || l.ReplyTo.OrganizationNumber == "")
		}),
		rule("there is nothing to print", func(l *Metadata) bool {
			return !l.DigitalOnly && !slices.ContainsFunc(l.Files, func(f File) bool { return !f.ExcludeFromPrint })
		}),
	}
}

// contentRules are the rules for the documents.
func contentRules() []Check {
	return []Check{
		{Text: "a document is empty", Broken: func(_ *Metadata, t Terms) bool { // upstream-facts, section 2.3
			return slices.ContainsFunc(t.documents, func(d Document) bool { return d.content() == 0 })
		}},
		{Text: "the documents are too large to be printed", rejects: true, Broken: func(l *Metadata, t Terms) bool {
			return !l.DigitalOnly && !l.Health && t.Size() > t.printLimit
		}},
	}
}

// LinkRules takes the generation's names of the fields.
func LinkRules(address, label string) []Check {
	broken := func(bad func(Link) bool) func(*Metadata, Terms) bool {
		return func(l *Metadata, _ Terms) bool { return slices.ContainsFunc(l.Links, bad) }
	}
	return []Check{
		{Text: address + " is not a link with http, https or ftp", Broken: broken(func(k Link) bool {
			u, err := url.Parse(k.URL)
			return err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ftp"}, u.Scheme)
		})},
		{Text: label + " is missing", Broken: broken(func(k Link) bool { return Blank(k.Text) })},
	}
}

// IsNumber tells whether a text has exactly that many digits and nothing else.
func IsNumber(s string, digits int) bool { return isDigits(s) && len(s) == digits }

// Blank tells whether a text is blank.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }

// Units counts UTF-16 units, which are never fewer than the characters.
func Units(s string) int { return len(utf16.Encode([]rune(s))) }
