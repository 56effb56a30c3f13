package session

import (
	"encoding/json"
	"fmt"
	"time"
)

// codec encodes a session as JSON. Gob, the default of scs, repeats its types in each value and builds a decoder at
// each request, which took a tenth of a page's time.
type codec struct{}

// isRecord tells whether a session was written by Encode; sessions of earlier versions have ended.
func isRecord(b []byte) bool { return len(b) > 0 && b[0] == '{' }

// record is a stored session: its values by type.
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
