package dispatch

import (
	"slices"
	"strings"
)

// names tells whether lines hold a name: its words follow each other, are all in one line, as "Nordmann, Åse Marie",
// or fill some lines. Words spread over other people's lines do not count.
func names(lines [][]string, name string) bool {
	want := bareWords(strings.Fields(name))
	if len(want) == 0 {
		return false
	}
	var all []string
	begins := map[int]bool{}
	for _, line := range lines {
		begins[len(all)] = true
		all = append(all, bareWords(line)...)
		if slices.ContainsFunc(people(line), func(words []string) bool { return holdsAll(bareWords(words), want) }) {
			return true
		}
	}
	begins[len(all)] = true
	for i := 0; i+len(want) <= len(all); i++ {
		some := all[i : i+len(want)]
		if slices.Equal(some, want) || begins[i] && begins[i+len(want)] && holdsAll(some, want) {
			return true
		}
	}
	return false
}

// people splits a line that names several: "Kari Berg og Ola Nordmann", "Ola Nordmann c/o Berg".
func people(line []string) [][]string {
	parts := [][]string{nil}
	for _, word := range line {
		switch strings.ToLower(word) {
		case "og", "&", "c/o", "v/", "ved", "for":
			parts = append(parts, nil)
		default:
			parts[len(parts)-1] = append(parts[len(parts)-1], word)
		}
	}
	return parts
}

// holdsAll tells whether words contains others, as a multiset.
func holdsAll(words, others []string) bool {
	left := slices.Clone(words)
	for _, other := range others {
		i := slices.Index(left, other)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// bareWords normalizes words for comparison and drops those of signs alone.
func bareWords(words []string) []string {
	var bare []string
	for _, word := range words {
		if b := bareWord(word); b != "" {
			bare = append(bare, b)
		}
	}
	return bare
}
