package dispatch

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// storedDraft is the stored form of a draft of an earlier release.
const storedDraft = `{"RecipientKind":"organisasjon","Number":"974760673","Name":"Steinkjer kommune","Line1":"Storgata 1","Line2":"Oppgang B","Line3":"3. etasje",` +
	`"PostalCode":"7713","City":"Steinkjer","Country":"Norge","Title":"Vedtak","TitleNynorsk":"Vedtaket","Form":"nn","SourceSystem":"Utsending","BillingCode":"1","ExternalReference":"2026/1","ReferenceEach":true,` +
	`"DigitalOnly":true,"Duplex":true,"Color":true,"Sign":true,"SignDocument":"d1","SignatureType":"AUTENTISERT_SIGNATUR","SignBy":"20.12.2026",` +
	`"Reply":{"Name":"Arkiv","Line1":"","Line2":"","Line3":"","PostalCode":"7713","City":"Steinkjer","Country":"Norge"},"ReplyNumber":"974760673","ReplyLink":true,` +
	`"InReplyTo":"i1","Links":[{"Lead":"Les","URL":"https://eksempel.no","Text":"her"}],"Type":"vedtak","SourceActor":"a","CorrelationID":"c","Encrypt":true,` +
	`"Level4":true,"Confidential":true,"SharedWith":"974760673","Case":{"saksaar":"2026"},"Import":{"saksaar":"2025"},` +
	`"Documents":{"d1":{"Giro":"1","Type":"t","Exclude":true,"Sensitive":true,"Extra":"a=b"}},"Timing":{"Day":"20.12.2026","Clock":"10.00","Urgent":true},` +
	`"Health":{"ByHERID":true,"HERID":"8","About":"a","Phone":"1","Contact":{"First":"A","Middle":"B","Last":"C"},"Patient":{"First":"D","Middle":"E","Last":"F"},"PatientID":"02813299952"}}`

// TestStoredDraftsStay: drafts of an earlier release are read whole, and written unchanged.
func TestStoredDraftsStay(t *testing.T) {
	t.Parallel()
	var f DraftFields
	decoder := json.NewDecoder(strings.NewReader(storedDraft))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(f)
	if err != nil || string(written) != storedDraft {
		t.Errorf("got %s, %v", written, err)
	}
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test holds nothing of %s", v.Type().Field(i).Name)
		}
	}
}

// TestCopied: a copy has its own files, and neither a deadline nor a time.
func TestCopied(t *testing.T) {
	t.Parallel()
	f := DraftFields{Title: "Vedtak", Sign: true, SignDocument: "old", SignBy: "20.12.2026", Timing: TimingFields{Day: "20.12.2026"},
		Documents: map[DocumentID]DocumentFields{"old": {Giro: "1"}}}
	got := f.Copied(map[DocumentID]DocumentID{"old": "new"})
	want := DraftFields{Title: "Vedtak", Sign: true, SignDocument: "new", Documents: map[DocumentID]DocumentFields{"new": {Giro: "1"}}}
	if !reflect.DeepEqual(got, want) || f.Documents["old"].Giro != "1" {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
