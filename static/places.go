package static

import (
	"encoding/json"
	"io/fs"
)

// PostalPlaces are the places of Norway's postal codes by their four digits: "7713" is "Steinkjer". They are read
// anew each time; a build without them has none.
func (a *Assets) PostalPlaces() map[string]string {
	content, err := fs.ReadFile(a.dist, a.manifest["postnummer.json"])
	var places map[string]string
	if err != nil || json.Unmarshal(content, &places) != nil {
		return nil
	}
	return places
}
