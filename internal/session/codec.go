package session

import (
	"encoding/json"
	"fmt"
	"time"
)

// codec writes a session as JSON. Gob, which scs uses, carries its types in each value and makes a decoder for them at
// each request: a tenth of the time of a page.
type codec struct{}

// isRecord tells whether a session was written by Encode; those of earlier versions are over.
func isRecord(b []byte) bool { return len(b) > 0 && b[0] == '{' }

// record is a session as it is stored: its values by their types.
type record struct {
	Deadline time.Time           `json:"deadline"`
	Texts    map[string]string   `json:"texts,omitempty"`
	Numbers  map[string]int      `json:"numbers,omitempty"`
	Lists    map[string][]string `json:"lists,omitempty"`
}

// Encode implements scs.Codec.
func (codec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	r := record{deadline, map[string]string{}, map[string]int{}, map[string][]string{}}
	for key, value := range values {
		switch v := value.(type) {
		case string:
			r.Texts[key] = v
		case int:
			r.Numbers[key] = v
		case []string:
			r.Lists[key] = v
		default:
			return nil, fmt.Errorf("session value %s is a %T", key, v)
		}
	}
	return json.Marshal(r)
}

// Decode implements scs.Codec.
func (codec) Decode(b []byte) (time.Time, map[string]any, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil {
		return time.Time{}, nil, err
	}
	values := make(map[string]any, len(r.Texts)+len(r.Numbers)+len(r.Lists))
	for key, v := range r.Texts {
		values[key] = v
	}
	for key, v := range r.Numbers {
		values[key] = v
	}
	for key, v := range r.Lists {
		values[key] = v
	}
	return r.Deadline, values, nil
}
