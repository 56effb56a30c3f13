package dispatch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// The secret values, and their redacted form.
const (
	hiddenSecret = "hunter2-hunter2"
	hiddenID     = "02013299997"
	hiddenPhone  = "+4740000567"
	redacted     = "[redacted]"
)

type holder struct {
	Secret  dispatch.Secret
	ID      dispatch.NationalID
	Phone   dispatch.Phone
	Pointer *dispatch.Phone
	Any     any
	List    []dispatch.Phone
}

// carriers are the ways in which a value may be printed.
func carriers() map[string]any {
	secret, id, phone := dispatch.Secret(hiddenSecret), dispatch.NationalID(hiddenID), dispatch.Phone(hiddenPhone)
	h := holder{secret, id, phone, &phone, id, []dispatch.Phone{phone}}
	sms := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: id, Phone: phone}, Text: "Hei"}
	return map[string]any{
		"a secret":              secret,
		"a national id":         id,
		"a phone number":        phone,
		"a pointer to a secret": &secret,
		"a pointer to an id":    &id,
		"a pointer to a phone":  &phone,
		"a struct":              h,
		"a pointer to a struct": &h,
		"a struct in a struct":  struct{ Inner holder }{h},
		"a slice":               []dispatch.Phone{phone, phone},
		"a slice of structs":    []holder{h},
		"a slice of pointers":   []*dispatch.NationalID{&id},
		"an array":              [2]dispatch.Secret{secret, secret},
		"a slice of anything":   []any{secret, id, phone, &phone},
		"a map":                 map[string]dispatch.NationalID{"a": id},
		"a map of structs":      map[string]holder{"a": h},
		"an SMS":                sms,
		"an SMS item":           dispatch.SMSItem{SMS: sms},
		"a looked-up number":    dispatch.LookupNumber(hiddenID),
		"a look-up":             dispatch.Lookup{Entries: []dispatch.LookupEntry{{Number: hiddenID, Phone: hiddenPhone}}},
		"a contact":             dispatch.Contact{Number: hiddenID, Phone: hiddenPhone},
		"credentials":           dispatch.Credentials{ClientID: "a", ClientSecret: secret, IntegrationPassword: secret},
	}
}

// checkHidden searches for the values in every spelling of a verb.
func checkHidden(t *testing.T, how, printed string) {
	t.Helper()
	for _, hidden := range []string{hiddenSecret, hiddenID, hiddenPhone} {
		spellings := []string{
			hidden, hidden[1:], fmt.Sprintf("%x", hidden), fmt.Sprintf("%X", hidden), fmt.Sprintf("% x", hidden),
			strings.Trim(fmt.Sprintf("%d", []byte(hidden)), "[]"), fmt.Sprintf("%#x", hidden),
		}
		for _, s := range spellings {
			if strings.Contains(printed, s) {
				t.Errorf("%s: got %q, want no %q", how, printed, s)
			}
		}
	}
}

func TestNeverPrintedByFmt(t *testing.T) {
	t.Parallel()
	verbs := []string{"%v", "%+v", "%#v", "%s", "%q", "%#q", "%+q", "%d", "%x", "%X", "% x", "%#x", "%t", "%c", "%U", "%b", "%e", "%10.3s", "%-20v", "%!"}
	for name, value := range carriers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, verb := range verbs {
				checkHidden(t, verb, fmt.Sprintf(verb, value))
			}
			checkHidden(t, "Sprint", fmt.Sprint(value))
			checkHidden(t, "Sprintln", fmt.Sprintln("with", value))
			checkHidden(t, "Append", string(fmt.Append(nil, value)))
			checkHidden(t, "an argument too many", fmt.Sprintf(verbs[0], "text", value))
			checkHidden(t, "Errorf", fmt.Errorf("send to %v: %w", value, errors.ErrUnsupported).Error())
		})
	}
}

// fmt prints a pointer within a struct as an address. vet refuses a verb that does not fit a pointer: with such a
// verb, fmt prints the value behind it without calling its methods (see Secret).
func TestNeverPrintedBehindAPointerInAStruct(t *testing.T) {
	t.Parallel()
	value := struct{ Inner *holder }{carriers()["a pointer to a struct"].(*holder)}
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		checkHidden(t, verb, fmt.Sprintf(verb, value))
	}
	var text, json bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&json, nil)} {
		slog.New(h).Info("message", "value", value, "pointer", &value)
	}
	checkHidden(t, "text", text.String())
	checkHidden(t, "json", json.String())
}

func TestPrintsAsRedacted(t *testing.T) {
	t.Parallel()
	for _, value := range []any{dispatch.Secret(hiddenSecret), dispatch.NationalID(hiddenID), dispatch.Phone(hiddenPhone)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%99s"} {
			if got := fmt.Sprintf(verb, value); got != redacted {
				t.Errorf("got %q for %s of %T, want %q", got, verb, value, redacted)
			}
		}
	}
	if got := fmt.Sprint(dispatch.Secret("")); got != redacted {
		t.Errorf("got %q for an empty secret, want %q: emptiness tells too", got, redacted)
	}
}

func TestNeverLogged(t *testing.T) {
	t.Parallel()
	for name, value := range carriers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text, json bytes.Buffer
			for _, h := range []slog.Handler{slog.NewTextHandler(&text, nil), slog.NewJSONHandler(&json, nil)} {
				log := slog.New(h).With("with", value).WithGroup("group")
				log.Info("message", "value", value, slog.Any("any", value), slog.Group("inner", "value", value))
			}
			checkHidden(t, "text", text.String())
			checkHidden(t, "json", json.String())
			if got := strings.Count(text.String(), redacted); got < 4 {
				t.Errorf("got %q, want it redacted in all four places", text.String())
			}
		})
	}
}

func TestNeverInJSON(t *testing.T) {
	t.Parallel()
	for name, value := range carriers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, "json", string(got))
			if !strings.Contains(string(got), redacted) {
				t.Errorf("got %s, want %q in it", got, redacted)
			}
		})
	}
}

func TestNeverPrintedAsKeys(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d"} {
		checkHidden(t, verb, fmt.Sprintf(verb, map[dispatch.Phone]dispatch.NationalID{hiddenPhone: hiddenID}))
	}
}

func TestReveal(t *testing.T) {
	t.Parallel()
	got := dispatch.Secret(hiddenSecret).Reveal() + dispatch.NationalID(hiddenID).Reveal() + dispatch.Phone(hiddenPhone).Reveal()
	if want := hiddenSecret + hiddenID + hiddenPhone; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
