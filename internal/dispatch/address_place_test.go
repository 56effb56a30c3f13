package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	places := map[string]string{"7713": "Steinkjer", "0150": "Oslo"}
	at := func(code, city, country string) dispatch.PostalAddress {
		return dispatch.PostalAddress{PostalCode: code, City: city, Country: country}
	}
	for name, test := range map[string]struct {
		now, was dispatch.PostalAddress
		want     string
	}{
		"follows from a code":                          {at("7713", "", "Norge"), at("", "", ""), "Steinkjer"},
		"follows from a code with blanks":              {at(" 7713 ", " ", ""), at("", "", ""), "Steinkjer"},
		"stays as it is given":                         {at("7713", "Egge", "Norge"), at("", "", ""), "Egge"},
		"stays as it is given when the code changes":   {at("7713", "Egge", "Norge"), at("0150", "Egge", "Norge"), "Egge"},
		"stays while the code does":                    {at("7713", "Steinkjer", "Norge"), at("7713", "Steinkjer", "Norge"), "Steinkjer"},
		"follows the new code":                         {at("0150", "Steinkjer", "Norge"), at("7713", "Steinkjer", "Norge"), "Oslo"},
		"stays when nobody knows the new code":         {at("9999", "Steinkjer", "Norge"), at("7713", "Steinkjer", "Norge"), "Steinkjer"},
		"is not filled in of a code that nobody knows": {at("9999", "", "Norge"), at("", "", ""), ""},
		"is not filled in abroad":                      {at("7713", "", "Sverige"), at("", "", ""), ""},
		"is not filled in without a code":              {at("", "", "Norge"), at("7713", "", "Norge"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dispatch.PlaceOf(test.now, test.was, places); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
