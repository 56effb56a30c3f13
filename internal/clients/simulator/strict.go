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

// Strict decodes one JSON value and nothing else. encoding/json alone would accept names in another letter case,
// repeated names, null and invalid UTF-8. It checks at every depth. Its errors hold names of fields, never values.
type Strict struct {
	Nulls bool // a field may be null, which means absent
}

// DecodeStrict decodes with the zero Strict.
func DecodeStrict(body []byte, into any) error { return Strict{}.Decode(body, into) }

// Decode decodes JSON and refuses what the type does not have.
func (s Strict) Decode(body []byte, into any) error {
	if !utf8.Valid(body) {
		return errors.New("body is not UTF-8")
	}
	if !json.Valid(body) { // also when something follows the value
		return errors.New("body is not one JSON value")
	}
	if err := s.check(body, reflect.TypeOf(into).Elem(), ""); err != nil {
		return err
	}
	err := json.Unmarshal(body, into)
	var wrongType *json.UnmarshalTypeError
	if !errors.As(err, &wrongType) {
		return err
	}
	if wrongType.Field == "" {
		return errors.New("an item has the wrong type")
	}
	return fmt.Errorf("field %s has the wrong type", wrongType.Field)
}

// check checks a value for type t. A value of another type is left to json.Unmarshal, except the whole body.
func (s Strict) check(value []byte, t reflect.Type, path string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	value = bytes.TrimSpace(value)
	switch {
	case t.Kind() == reflect.Struct && value[0] == '{':
		return s.checkObject(value, t, path)
	case t.Kind() == reflect.Slice && value[0] == '[':
		return s.checkList(value, t.Elem(), path)
	case t.Kind() == reflect.Struct && path == "":
		return errors.New("body is not a JSON object")
	case t.Kind() == reflect.Slice && path == "":
		return errors.New("body is not a JSON list")
	}
	return nil
}

func (s Strict) checkObject(object []byte, t reflect.Type, path string) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // the opening brace
		return err
	}
	known, given := fields(t), map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // a name inside an object is always a string
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		full := strings.TrimPrefix(path+"."+name, ".")
		if known[name] == nil {
			return fmt.Errorf("unknown field %q", full)
		}
		if given[name] {
			return fmt.Errorf("field %s is given twice", full)
		}
		given[name] = true
		if err := s.checkField(value, known[name], full); err != nil {
			return err
		}
	}
	return nil
}

func (s Strict) checkField(value json.RawMessage, t reflect.Type, path string) error {
	if string(value) != "null" {
		return s.check(value, t, path)
	}
	if s.Nulls {
		return nil
	}
	return fmt.Errorf("field %s is null", path)
}

func (s Strict) checkList(list []byte, item reflect.Type, path string) error {
	var values []json.RawMessage
	if err := json.Unmarshal(list, &values); err != nil {
		return err
	}
	if path == "" {
		path = "body"
	}
	for _, value := range values {
		if string(value) == "null" {
			return fmt.Errorf("%s holds null", path)
		}
		if err := s.check(value, item, path); err != nil {
			return err
		}
	}
	return nil
}

// fields lists the fields of a struct by their JSON names.
func fields(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all[name] = f.Type
	}
	return all
}
