package session

import "strings"

// claimValues returns the values of a claim: a text, a list of texts, or either of them inside objects that the dots of
// the path lead into. Anything else gives nothing.
func claimValues(claims map[string]any, path string) []string {
	var value any = claims
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		return texts(v)
	}
	return nil
}

func texts(list []any) []string {
	var values []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			values = append(values, s)
		}
	}
	return values
}
