package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ClaimPath addresses values in an id token: claim names separated by dots, with [] after the name of a list to
// iterate over, as in authorization_details[].reportees[].ID.
type ClaimPath string

// UnmarshalText implements encoding.TextUnmarshaler; an invalid path is refused.
func (p *ClaimPath) UnmarshalText(path []byte) error {
	for name := range strings.SplitSeq(string(path), ".") {
		if name = strings.TrimSuffix(name, "[]"); name == "" || strings.ContainsAny(name, "[] ") {
			return errors.New("must be names with dots between them, and [] after a list, such as groups or authorization_details[].reportees[].ID")
		}
	}
	*p = ClaimPath(path)
	return nil
}

// root is the top-level claim of the path.
func (p ClaimPath) root() string {
	name, _, _ := strings.Cut(string(p), ".")
	return strings.TrimSuffix(name, "[]")
}

// values returns the strings at the path, single or in a list. Other types are ignored.
func (p ClaimPath) values(claims map[string]any) []string {
	found := []any{any(claims)}
	for name := range strings.SplitSeq(string(p), ".") {
		name, list := strings.CutSuffix(name, "[]")
		if found = named(found, name); list {
			found = elements(found)
		}
	}
	var values []string
	for _, value := range found {
		values = append(values, texts(value)...)
	}
	return values
}

// named returns the member of that name of each object.
func named(values []any, name string) []any {
	var found []any
	for _, v := range values {
		if object, ok := v.(map[string]any); ok {
			found = append(found, object[name])
		}
	}
	return found
}

// elements flattens lists.
func elements(values []any) []any {
	var found []any
	for _, v := range values {
		if list, ok := v.([]any); ok {
			found = append(found, list...)
		}
	}
	return found
}

func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var values []string
		for _, one := range v {
			if s, ok := one.(string); ok {
				values = append(values, s)
			}
		}
		return values
	}
	return nil
}

// Gap is why a login gives no rights at all.
type Gap string

// The reasons. Values without a role mapping are not among them.
const (
	GapNone     Gap = ""
	GapMissing  Gap = "missing"  // the rights claim is missing or empty: no group, no reportee
	GapOverflow Gap = "overflow" // Entra ID omitted the groups because there are too many for the token
)

// rights reads the values of the rights claim.
func rights(claims map[string]any, path ClaimPath) ([]string, Gap) {
	if overflows(claims, path.root()) {
		return nil, GapOverflow
	}
	values := slices.DeleteFunc(path.values(claims), func(v string) bool { return v == "" })
	if len(values) == 0 {
		return nil, GapMissing
	}
	return values, GapNone
}

// overflows tells whether Entra ID omitted a claim from an oversized token: it then names an endpoint to query
// instead, or, in some flows, only sets hasgroups.
func overflows(claims map[string]any, name string) bool {
	elsewhere, _ := claims["_claim_names"].(map[string]any)
	_, left := elsewhere[name]
	said := strings.EqualFold(fmt.Sprint(claims["hasgroups"]), "true") // a boolean, or a text
	return left || said && name == "groups"
}
