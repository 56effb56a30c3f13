package clients

import (
	"bytes"
	"encoding/json"
)

// Encode writes the JSON body of a request without escaping <, > and &, so that texts are sent as written; nil for no
// body.
func Encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
