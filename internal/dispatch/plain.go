package dispatch

import "strings"

// Lookalike is a kind of character with an ordinary equivalent that costs fewer segments.
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
	LookalikeForm       Lookalike = "form" // compatibility forms of ordinary letters, digits and signs
)

// lookalikes maps the characters of each kind to their replacement. It has no letters: a name with č is written with
// č, whatever it costs. Nor the invisible characters that join emoji (U+200D and U+FE0F).
var lookalikes = []struct {
	kind       Lookalike
	characters string
	plain      string
}{
	{LookalikeQuote, "“”„‟«»″", `"`},
	{LookalikeApostrophe, "‘’‚‛ʼ′´`‹›", "'"},
	{LookalikeDash, "–—‒―−‐‑⁃", "-"},
	{LookalikeEllipsis, "…", "..."},
	{LookalikeBlank, "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "},
	{LookalikeInvisible, "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2065" +
		"\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufe0e\ufeff\uffa0\ufff9\ufffa\ufffb\ufffc\U000E0001\U000E0020", ""},
	{LookalikeBullet, "•‣▪●◦·", "-"},
	{LookalikeTab, "\t", " "},
	{LookalikeLineBreak, "\v\u0085\u2028\u2029", "\n"},
}

// forms maps compatibility forms to ordinary characters.
var forms = func() map[rune]string {
	all := map[rune]string{
		'ª': "a", 'º': "o", '¹': "1", '²': "2", '³': "3", '½': "1/2", '¼': "1/4", '¾': "3/4", '⅓': "1/3", '⅔': "2/3", '№': "nr.", '×': "x", '⁄': "/", '∕': "/",
		'←': "<-", '→': "->", '↔': "<->", '⇐': "<=", '⇒': "=>", '⇨': "=>", '➔': "->", '➜': "->", '➡': "->", '⟶': "->", '＂': `"`, '￥': "¥", '￡': "£", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬀ': "ff", 'ﬃ': "ffi", 'ﬄ': "ffl",
	}
	for r := '！'; r <= '～'; r++ { // full width
		if all[r] == "" {
			all[r] = string(r - '！' + '!')
		}
	}
	all['｀'], all['℃'] = "'", "C"
	return all
}()

// LookalikeOf returns the kind of a character, empty when it has no replacement.
func LookalikeOf(r rune) Lookalike {
	for _, l := range lookalikes {
		if strings.ContainsRune(l.characters, r) {
			return l.kind
		}
	}
	if forms[r] != "" {
		return LookalikeForm
	}
	return ""
}

// ordinary maps each look-alike to its replacement.
var ordinary = func() map[rune]string {
	all := map[rune]string{}
	for r, plain := range forms {
		all[r] = plain
	}
	for _, l := range lookalikes {
		for _, r := range l.characters {
			all[r] = l.plain
		}
	}
	return all
}()

// Plain replaces look-alikes by ordinary characters. A fraction after a digit keeps a blank between.
func Plain(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range text {
		plain, ok := ordinary[r]
		if !ok {
			plain = string(r)
		}
		if ok && strings.Contains(plain, "/") && len(plain) > 1 && last >= '0' && last <= '9' {
			b.WriteByte(' ')
		}
		b.WriteString(plain)
		if plain != "" {
			last = r
		}
	}
	return b.String()
}
