package static

import (
	"encoding/json"
	"io/fs"
)

// PostalPlaces maps Norway's postal codes to their places: "7713" is "Steinkjer". It parses them at each call; a build without them
// has none.
func (a *Assets) PostalPlaces() map[string]string {
	content, err := fs.ReadFile(a.dist, a.manifest["postnummer.json"])
	var places map[string]string
	if err != nil || json.Unmarshal(content, &places) != nil {
		return nil
	}
	return places
}
