package store

import (
	"database/sql"
	"testing"

	_ "github.com/lib/pq"

	"utsending/internal/dispatch"
	"utsending/internal/store/pgserver"
)

// TestSealedPlaces: the database names the place of a sealed value as the sealing code does, and every sealed column
// is covered.
func TestSealedPlaces(t *testing.T) {
	t.Parallel()
	const one, two = "5f0c0000-0000-4000-8000-00000000000a", "5f0c0000-0000-4000-8000-00000000000b"
	want := map[string]string{
		"credentials.sealed": CredentialsPlace(one), "sessions.data": "session/" + two, "session_lookups.data": LookupPlace(two, one),
		"searches.content": SearchPlace(one), "sms.recipient": RecipientPlace(one), "sms.text": TextPlace(one),
		"shipments.form": FormPlace(one), "shipments.content": ContentPlace(one), "shipments.fault": FaultPlace(one),
		"service_reports.report": ReportPlace(one, dispatch.SourceSigning), "documents.reading": ReadingPlace(one),
		"document_chunks.data": ChunkPlace(one, 7), "jobs.content": JobPlace(one), "jobs.pattern": PatternPlace(one),
		"jobs.pattern_form": PatternFormPlace(one), "job_rows.content": RowPlace(one, 7), "list_chunks.data": ChunkPlace(ListFile(one), 7),
		"bulk_acts.terms": BulkPlace(one), "exports.query": ExportPlace(one), "export_chunks.data": ChunkPlace(ExportFile(one, 7), 7),
		"template_versions.choices": ChoicesPlace(one, 7), "follow_ups.note": NotePlace(one), "follow_ups.reason": ReasonPlace(one),
		"holds.sealed": HoldPlace(one), "answers.sealed": answerPlace(one), "access_reviews.note": ReviewPlace(one), "approvals.note": ApprovalPlace(one),
		"unfinished_forms.fields": UnfinishedPlace(one, one, one), "mail_choices.address": MailPlace(one), "account_alarms.chat": ChatPlace(one), "protected_people.numbers": ProtectedPlace(one),
	}
	db := connect(t)
	for _, c := range sealedColumns {
		var place string
		err := db.QueryRowContext(t.Context(), `SELECT `+c.place+`
			FROM (SELECT $1::uuid AS id, $1::uuid AS item_id, $1::uuid AS integration_id, $1::uuid AS document_id, $1::uuid AS job_id,
			             $1::uuid AS template_id, $1::uuid AS account_id, $1::uuid AS user_id, $1::uuid AS export_id, 7 AS attempt, $2::text AS token_hash, 7 AS position, 7 AS version, $3::text AS source) r`,
			one, two, string(dispatch.SourceSigning)).Scan(&place)
		if name := c.table + "." + c.column; err != nil || place != want[name] || place == "" {
			t.Errorf("%s: got %q, %v, want %q", name, place, err, want[name])
		}
	}
	if len(want) != len(sealedColumns) {
		t.Errorf("got %d columns, want %d", len(sealedColumns), len(want))
	}
}

// connect opens a database without tables.
func connect(t *testing.T) *sql.DB {
	t.Helper()
	pg, err := pgserver.Start(t.Context(), pgserver.Options{NPMDir: "../../node_modules", Fast: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Stop() })
	db, err := sql.Open("postgres", pg.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
