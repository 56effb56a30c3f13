package dispatch

import "strings"

// Lookalike is a kind of character that has an ordinary one beside it, which costs less and says the same.
type Lookalike string

// The kinds of look-alikes.
const (
	LookalikeQuote      Lookalike = "quote"
	LookalikeApostrophe Lookalike = "apostrophe"
	LookalikeDash       Lookalike = "dash"
	LookalikeEllipsis   Lookalike = "ellipsis"
	LookalikeBlank      Lookalike = "blank"
	LookalikeInvisible  Lookalike = "invisible"
	LookalikeBullet     Lookalike = "bullet"
	LookalikeTab        Lookalike = "tab"
	LookalikeLineBreak  Lookalike = "line_break"
)

// lookalikes are the characters of each kind, and what stands in their place. No letter is among them: a name with č is
// written with č, whatever it costs. The invisible ones do not hold emoji together (U+200D and U+FE0F do).
var lookalikes = []struct {
	kind       Lookalike
	characters string
	plain      string
}{
	{LookalikeQuote, "“”„‟«»″", `"`},
	{LookalikeApostrophe, "‘’‚‛ʼ′´`‹›", "'"},
	{LookalikeDash, "–—‒―−‐‑⁃", "-"},
	{LookalikeEllipsis, "…", "..."},
	{LookalikeBlank, "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "},
	{LookalikeInvisible, "\u00ad\u200b\u2060\ufeff", ""},
	{LookalikeBullet, "•‣▪●◦·", "-"},
	{LookalikeTab, "\t", " "},
	{LookalikeLineBreak, "\u0085\u2028\u2029", "\n"},
}

// LookalikeOf returns the kind of a character, empty when nothing may stand in its place.
func LookalikeOf(r rune) Lookalike {
	for _, l := range lookalikes {
		if strings.ContainsRune(l.characters, r) {
			return l.kind
		}
	}
	return ""
}

// plainReplacer puts ordinary characters in the place of all look-alikes.
var plainReplacer = func() *strings.Replacer {
	var pairs []string
	for _, l := range lookalikes {
		for _, r := range l.characters {
			pairs = append(pairs, string(r), l.plain)
		}
	}
	return strings.NewReplacer(pairs...)
}()

// Plain returns a text with ordinary characters in the place of look-alikes.
func Plain(text string) string { return plainReplacer.Replace(text) }
