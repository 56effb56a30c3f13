package recipients_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
)

// TestLetterReadingNamesTheRecipientsColumns: a draft of letters made from a list of SMS has one value for both uses as well.
func TestLetterReadingNamesTheRecipientsColumns(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct {
		columns []string
		want    dispatch.RecipientColumns
	}{
		"whole name": {[]string{"time", "navn", "gate", "postnr"}, dispatch.RecipientColumns{Recipient: map[string]string{
			"navn": dispatch.FieldName, "gate": dispatch.FieldLine1, "postnr": dispatch.FieldPostalCode}}},
		"in parts": {[]string{"fornavn", "etternavn", "poststed", "land"}, dispatch.RecipientColumns{Names: []string{"fornavn", "etternavn"},
			Recipient: map[string]string{"poststed": dispatch.FieldCity, "land": dispatch.FieldCountry}}},
		"no name": {[]string{"time"}, dispatch.RecipientColumns{Recipient: map[string]string{}}},
	} {
		if diff := cmp.Diff(k.want, recipients.LetterReading(k.columns).RecipientColumns); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
