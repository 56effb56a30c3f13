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
	maxBillingCode = 20
	minSigning     = 24 * time.Hour
	signingSlack   = time.Minute // a sender that adds one day to its clock is not late
)

// Rule is one rule for a submission, and what breaking it meets.
type Rule struct {
	Text   string
	Answer string // "400", or "AVVIST": accepted, and the status becomes AVVIST
}

// ShipmentRules is the table of what V1 refuses. A line of Violations ends with the text of the rule.
//
// Assumption: what the metadata alone shows is answered at once (upstream-facts, section 2.3: faults with the text
// "Ugyldig innhold"), and nothing is accepted. AVVIST is left for what the specification calls a rejected shipment, and
// for shipments that no file for print can be made from.
func ShipmentRules() []Rule {
	return told(metadataRules())
}

// told is a table of rules, the rules for content included.
func told(rules []letterRule) []Rule {
	var all []Rule
	for _, r := range append(rules, contentRules()...) {
		answer := "400"
		if r.rejects {
			answer = shipmentRejected
		}
		all = append(all, Rule{Text: r.text, Answer: answer})
	}
	return all
}

// letterRule is a rule with the test for its breach.
type letterRule struct {
	text    string
	rejects bool
	broken  func(l *letter, t terms) bool
}

// terms are the circumstances that rules depend on.
type terms struct {
	now            time.Time
	strict         bool // the specification's word counts where the deployed service is milder
	refuseExcluded bool
	printLimit     int64
	documents      []Document // as received; for the rules about content
}

func (s *Simulator) terms() terms {
	o := s.options
	return terms{
		now: o.Now(), strict: o.Wire == WireSpec, refuseExcluded: o.RefuseExcluded, printLimit: o.PrintLimit,
	}
}

// breach returns the text of the first broken rule of one kind, or nothing.
func breach(rules []letterRule, rejects bool, l *letter, t terms) string {
	for _, r := range rules {
		if r.rejects == rejects && r.broken(l, t) {
			return r.text
		}
	}
	return ""
}

// metadataRules can be judged before the documents are read.
func metadataRules() []letterRule {
	recipient := func(l *letter) *address { return l.to }
	replies := func(l *letter) *address { return l.replyTo }
	return slices.Concat(
		plainRules(),
		addressRules("mottaker", recipient, func(l *letter) bool { return !l.digitalOnly }),
		addressRules("svarSendesTil", replies, func(*letter) bool { return true }),
		fileRules(), signingRules("fodselsNummer"), linkRules("urlLenke", "urlTekst"),
		rejections(),
	)
}

// rejections are the rules of the metadata whose breach is accepted at first.
func rejections() []letterRule {
	rule := func(text string, broken func(*letter) bool) letterRule {
		return letterRule{text: text, rejects: true, broken: func(l *letter, _ terms) bool { return broken(l) }}
	}
	return []letterRule{
		rule("svarPaForsendelseLink without an organisation number in svarSendesTil", func(l *letter) bool {
			return l.replyLink && (l.replyTo == nil || l.replyTo.organizationNumber == "")
		}),
		rule("there is nothing to print", func(l *letter) bool {
			return !l.digitalOnly && !slices.ContainsFunc(l.files, func(f file) bool { return !f.excludeFromPrint })
		}),
	}
}

// contentRules need the documents.
func contentRules() []letterRule {
	return []letterRule{
		{text: "a document is empty", broken: func(_ *letter, t terms) bool { // upstream-facts, section 2.3
			return slices.ContainsFunc(t.documents, func(d Document) bool { return d.content() == 0 })
		}},
		{text: "the documents are too large to be printed", rejects: true, broken: func(l *letter, t terms) bool {
			var size int64
			for _, d := range t.documents {
				size += d.content()
			}
			return !l.digitalOnly && size > t.printLimit
		}},
	}
}

func plainRules() []letterRule {
	rule := func(text string, broken func(*letter) bool) letterRule {
		return letterRule{text: text, broken: func(l *letter, _ terms) bool { return broken(l) }}
	}
	return []letterRule{
		rule("tittel is missing", func(l *letter) bool { return blank(l.title) }),
		{text: "avgivendeSystem is missing", broken: func(l *letter, t terms) bool {
			return t.strict && blank(l.sourceSystem)
		}},
		rule("konteringsKode does not fit its pattern", func(l *letter) bool { return !isBillingCode(l.billingCode) }),
		rule("mottaker is missing", func(l *letter) bool { return l.to == nil }),
		rule("eksponertFor holds something else than 9 or 11 digits", func(l *letter) bool {
			return slices.ContainsFunc(l.sharedWith, func(n string) bool { return !isNumber(n, 9) && !isNumber(n, 11) })
		}),
		rule("svarPaForsendelse is not a uuid", func(l *letter) bool {
			return l.inReplyTo != nil && !isUUID(*l.inReplyTo)
		}),
		rule("krevNiva4Innlogging without kryptert", func(l *letter) bool { return l.level4 && !l.encrypted }),
	}
}

// linkRules names the fields as the generation does.
func linkRules(address, label string) []letterRule {
	broken := func(bad func(link) bool) func(*letter, terms) bool {
		return func(l *letter, _ terms) bool { return slices.ContainsFunc(l.links, bad) }
	}
	return []letterRule{
		{text: address + " is not a link with http, https or ftp", broken: broken(func(k link) bool {
			u, err := url.Parse(k.url)
			return err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ftp"}, u.Scheme)
		})},
		{text: label + " is missing", broken: broken(func(k link) bool { return blank(k.text) })},
	}
}

// isBillingCode is ^[a-zA-Z0-9-.øæåØÆÅ]{0,20}$.
func isBillingCode(code string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.øæåØÆÅ"
	return strings.Trim(code, allowed) == "" && units(code) <= maxBillingCode
}

func isNumber(s string, digits int) bool { return isDigits(s) && len(s) == digits }

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// units counts UTF-16 units, which are never fewer than the characters.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
