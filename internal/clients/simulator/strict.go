package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// decodeStrict reads one JSON object and nothing else. encoding/json alone would let pass names in another letter case,
// names given twice, null and broken UTF-8. Its errors carry names of fields, never values.
func decodeStrict(body []byte, into any) error {
	if !utf8.Valid(body) {
		return errors.New("body is not UTF-8")
	}
	if !json.Valid(body) { // also when something follows the object
		return errors.New("body is not one JSON value")
	}
	if err := checkNames(body, fieldNames(into)); err != nil {
		return err
	}
	err := json.Unmarshal(body, into)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Errorf("field %s has the wrong type", wrongType.Field)
	}
	return err
}

func checkNames(body []byte, known map[string]bool) error {
	d := json.NewDecoder(bytes.NewReader(body))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("body is not a JSON object")
	}
	given := map[string]bool{}
	for d.More() {
		var value json.RawMessage
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // a name inside an object is always a string
		if err := d.Decode(&value); err != nil {
			return err
		}
		switch {
		case !known[name]:
			return fmt.Errorf("unknown field %q", name)
		case given[name]:
			return fmt.Errorf("field %s is given twice", name)
		case string(value) == "null":
			return fmt.Errorf("field %s is null", name)
		}
		given[name] = true
	}
	return nil
}

// fieldNames lists the json names of the struct that v points to.
func fieldNames(v any) map[string]bool {
	names := map[string]bool{}
	t := reflect.TypeOf(v).Elem()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}
