package dispatch_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

func TestParseOrganizationNumber(t *testing.T) {
	t.Parallel()
	length := func(n int) *dispatch.Problem {
		return &dispatch.Problem{Field: "nummer", Key: "problem.organization.length", Args: dispatch.Args{"N": n}}
	}
	digits := &dispatch.Problem{Field: "nummer", Key: "problem.organization.digits"}
	empty := &dispatch.Problem{Field: "nummer", Key: "problem.organization.empty"}
	for typed, tt := range map[string]struct {
		want    dispatch.OrganizationNumber
		problem *dispatch.Problem
	}{
		"974760673":                {want: "974760673"},
		"974 760 673":              {want: "974760673"},
		" 974\u00a0760\u00a0673\t": {want: "974760673"},
		"974760674":                {want: "974760674"},
		"":                         {problem: empty},
		" ":                        {problem: empty},
		"97476067":                 {problem: length(8)},
		"9747606731":               {problem: length(10)},
		"97476067x":                {problem: digits},
		"NO974760673MVA":           {problem: digits},
		"٩٧٤٧٦٠٦٧٣":                {problem: digits},
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			got, problem := dispatch.ParseOrganizationNumber("nummer", typed)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if diff := cmp.Diff(problem, tt.problem); diff != "" {
				t.Errorf("got - want +:\n%s", diff)
			}
		})
	}
}

// TestReplyOrganization: a check digit that does not fit is a mistake in the setup of an account, where it can be mended.
func TestReplyOrganization(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"310 000 019": "", "310000018": "problem.check_digits", "31000001": "problem.organization.length"} {
		to, p := dispatch.ParseReplyOrganization(dispatch.FieldReplyNumber, typed)
		switch {
		case p == nil && (want != "" || to.OrganizationNumber != "310000019"):
			t.Errorf("%q is taken for %q, want %q", typed, to.OrganizationNumber, want)
		case p != nil && p.Key != want:
			t.Errorf("%q has the problem %q, want %q", typed, p.Key, want)
		}
	}
}

func TestOrganizationCheckDigitFits(t *testing.T) {
	t.Parallel()
	for number, want := range map[dispatch.OrganizationNumber]bool{
		"974760673": true, "974760674": false, "947760673": false, "000000000": true, "": false, "97476067": false, "9747606730": false,
	} {
		if got := number.CheckDigitFits(); got != want {
			t.Errorf("got %t for %q, want %t", got, number, want)
		}
	}
	for number, want := range map[dispatch.OrganizationNumber]string{"974760673": "974\u00a0760\u00a0673", "97476": "97476", "": ""} {
		if got := number.Grouped(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPostalAddressIsRedacted(t *testing.T) {
	t.Parallel()
	a := dispatch.PostalAddress{Name: "Ola Hemmelig", Line1: "Skjulveien 1", Line2: "Bakgården", Line3: "Oppgang B", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	hidden := []string{"Hemmelig", "Skjul", "Bakg", "Oppgang", "7713", "Steinkjer"}
	check := func(how, printed string) {
		t.Helper()
		for _, h := range hidden {
			if strings.Contains(printed, h) || strings.Contains(printed, fmt.Sprintf("%x", h)) {
				t.Errorf("%s: got %q, want no %q", how, printed, h)
			}
		}
		if !strings.Contains(printed, redacted) {
			t.Errorf("%s: got %q, want %q in it", how, printed, redacted)
		}
	}
	s := dispatch.Shipment{Recipient: dispatch.Address{Postal: a}, Title: "Vedtak"}
	for name, value := range map[string]any{
		"an address": a, "a pointer": &a, "a recipient": s.Recipient, "a slice": []dispatch.PostalAddress{a}, "a shipment": s, "an item": dispatch.ShipmentItem{Shipment: s},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			check(name+" by "+verb, fmt.Sprintf(verb, value))
		}
		var text, json bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&json, nil)} {
			slog.New(h).Info("message", "value", value)
		}
		check(name+" logged as text", text.String())
		check(name+" logged as JSON", json.String())
	}
}
