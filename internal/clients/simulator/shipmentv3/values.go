package shipmentv3

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/clients/simulator"
)

// decode decodes the metadata and checks every value by the tag of its field. null means absent, but for
// mottaker.adresse.
func decode[T any](metadata []byte, into *T) error {
	if err := (simulator.Strict{Nulls: true}).Decode(metadata, into); err != nil {
		return err
	}
	var raw struct {
		Recipient map[string]json.RawMessage `json:"mottaker"`
	}
	if json.Unmarshal(metadata, &raw) == nil && string(raw.Recipient["adresse"]) == "null" {
		return errors.New("mottaker.adresse is null")
	}
	return checkValue(reflect.ValueOf(into).Elem(), "")
}

func checkValue(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return checkValue(v.Elem(), path)
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkValue(v.Index(i), path); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for f := range v.Type().Fields() {
			name := strings.TrimPrefix(path+"."+f.Tag.Get("json"), ".")
			value := v.FieldByIndex(f.Index)
			if err := checkTag(value, name, f.Tag.Get("v3")); err != nil {
				return err
			}
			if err := checkValue(value, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkTag(v reflect.Value, name, tag string) error {
	if v.Kind() != reflect.Pointer {
		return nil
	}
	rules := strings.Fields(tag)
	if v.IsNil() {
		if slices.Contains(rules, "R") {
			return fmt.Errorf("%s is missing", name)
		}
		return nil
	}
	for _, rule := range rules {
		if !holds(v.Elem(), rule) {
			return fmt.Errorf("%s breaks %s", name, rule)
		}
	}
	return nil
}

// holds tells whether a value keeps one rule of a tag.
func holds(v reflect.Value, rule string) bool {
	switch {
	case rule == "R", rule == "notnull":
		return true
	case rule == "uuid":
		return simulator.IsUUID(v.String())
	case rule == "time":
		_, err := time.Parse(time.RFC3339, v.String())
		return err == nil
	case strings.HasPrefix(rule, "="):
		return slices.Contains(strings.Split(rule[1:], ","), v.String())
	case strings.HasPrefix(rule, "/"):
		return regexp.MustCompile(strings.Trim(rule, "/")).MatchString(v.String())
	}
	low, high, _ := strings.Cut(rule, "-")
	least, _ := strconv.ParseInt(low, 10, 64)
	most, _ := strconv.ParseInt(high, 10, 64)
	if v.CanInt() {
		return v.Int() >= least && v.Int() <= most
	}
	units := int64(simulator.Units(v.String()))
	return units >= least && units <= most
}

// isPerson tells whether a text is a national identity number or a D-number with right check digits, by the rule of
// 2032 too; those of test persons have another month.
func isPerson(text string) bool {
	if !simulator.IsNumber(text, 11) {
		return false
	}
	first := weigh(text, 3, 7, 6, 1, 8, 9, 4, 5, 2, 1)
	return first <= 3 && weigh(text, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1) == 0
}

// isOrganization tells whether a text is an organisation number with a right check digit.
func isOrganization(text string) bool {
	return simulator.IsNumber(text, 9) && weigh(text, 3, 2, 7, 6, 5, 4, 3, 2, 1) == 0
}

func weigh(text string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * int(text[i]-'0')
	}
	return sum % 11
}
