package lists

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// A word is common that one in commonOne has of the sampled newest shipments of an account; titles are made of such.
const (
	sampled   = 200
	commonOne = 40
	// indexed is how many words of a search are looked up in the index at least.
	indexed = 2
)

// commonWords are the words of a search that are not looked up in the index: so many shipments have them that it takes longer
// to go through what the index says of them than to read the few shipments that have the other words. The newest titles
// tell.
func (s *Store) commonWords(ctx context.Context, account dispatch.AccountID, q *Search) ([]string, error) {
	if q == nil || len(q.Words) <= indexed {
		return nil, nil
	}
	var titles []string
	err := s.Select(ctx, &titles, `
		SELECT words FROM shipments WHERE account_id = $1 AND words <> '' ORDER BY created_at DESC, item_id DESC LIMIT $2`, account, sampled)
	return mostCommon(q.Words, titles), err
}

// mostCommon returns those of the words that are common, without the ones for which the index is gone through least: few
// shipments have them, or they are short and have few groups of letters to go through.
func mostCommon(words, titles []string) []string {
	found := map[string]int{}
	for _, word := range words {
		for _, title := range titles {
			if strings.Contains(title, " "+word) {
				found[word]++
			}
		}
	}
	effort := func(a, b string) int { return cmp.Compare(found[a]*len(a), found[b]*len(b)) }
	sorted := slices.SortedStableFunc(slices.Values(words), effort)
	return slices.DeleteFunc(sorted[min(indexed, len(sorted)):], func(word string) bool { return found[word]*commonOne < len(titles) })
}
