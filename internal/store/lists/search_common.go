package lists

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"utsending/internal/dispatch"
)

// A word is common if one in commonOne of the account's newest shipments, of which sampled are read, has it in its
// title.
const (
	sampled   = 200
	commonOne = 40
	// indexed is the least number of words that are looked up in the index.
	indexed = 2
)

// commonWords are the words of a search that are not looked up in the index, because so many shipments have them that
// scanning their index entries takes longer than reading the few shipments that have the other words. The newest
// titles are the sample.
func (s rows) commonWords(ctx context.Context, account dispatch.AccountID, q *Search) ([]string, error) {
	if q == nil || len(q.Words) <= indexed {
		return nil, nil
	}
	var titles []string
	err := s.Select(ctx, &titles, `
		SELECT words FROM shipments WHERE account_id = $1 AND words <> '' ORDER BY created_at DESC, item_id DESC LIMIT $2`, account, sampled)
	return mostCommon(q.Words, titles), err
}

// mostCommon returns the common words, except those that are cheapest to look up: rare ones, or short ones with few
// trigrams.
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
