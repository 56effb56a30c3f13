package handlers_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// ofJobDraft are the routes of a job's draft.
var ofJobDraft = []string{"endre", "teller", "liste", "lesing", "feil", "feil.csv", "kontroll", "send", "forkast", "kan-nas", "bare-nas", "rest-brev", "ta-med", "oppslag"}

// ofDraft are the routes of an SMS draft.
var ofDraft = []string{"endre", "kontroll", "send", "forkast", "oppslag"}

func ofSMS(r row) bool { return strings.Contains(r.path, "/sms/:id") }
func ofShipment(r row) bool {
	return strings.Contains(r.path, "/utkast/:id") || strings.Contains(r.path, "/forsendelser/:id")
}

// whole is a form with the fields of all routes.
func whole() url.Values {
	return fields("nokkel", uuid.NewString(), "mottaker", "telefonnummer", "telefonnummer", "90000123", "tekst", "Hei der", "farger", "dark",
		"valg", "sent", "melding", uuid.NewString(), "versjon", "1", "navn", uuid.NewString(), "samtidige", "1", "takt", "1", "kortnavn", uuid.NewString(),
		"angre", "0", "metode", "token", "hemmelighet", "x", "verdi", uuid.NewString(), "rolle", "caseworker", "konto", "oppvekst",
		"numre", "02813299990", "formal", "Varsle om stengt skole", "mate", "traceable", "likevel", "true", "orgnr", "987654325", "referanse", "2026/12", "q", "12847800281", "begrunnelse", "Klage eller avvik")
}

// address fills in a route's path: the account oppvekst, and an item of the caseworker's made for this request only.
func (s *site) address(t *testing.T, r row) string {
	t.Helper()
	s.clearDrafts(t)
	if strings.HasPrefix(r.path, "/admin/integrasjoner/:id") || strings.HasPrefix(r.path, "/admin/kontoer/:konto") {
		return s.setupAddress(t, r.path)
	}
	path := strings.Replace(r.path, ":konto", "oppvekst", 1)
	switch last := path[strings.LastIndex(path, "/")+1:]; {
	case strings.Contains(path, "/integrasjoner/"):
		s.run(t, `UPDATE integrations SET stopped_at = NULL, stopped_by = ''`)
		return strings.Replace(path, ":id", string(s.oppvekst.Integration.ID), 1)
	case strings.Contains(path, "/admin/godkjenning/:id"):
		return strings.Replace(path, ":id", s.actRequest(t), 1)
	case strings.Contains(path, "/admin/avstemming/:id"):
		return strings.Replace(path, ":id", s.reconciliation(t), 1)
	case strings.Contains(path, "/rettigheter/:id"):
		return strings.Replace(path, ":id", s.newMapping(t), 1)
	case path == "/admin/levering/pause":
		s.run(t, `UPDATE delivery_guard SET paused_at = NULL`)
		return path
	case path == "/static/*":
		return s.assets.Path("app.css")
	case strings.HasSuffix(path, "/sok/:sok/person"):
		return strings.Replace(path, ":sok", s.searchOf(t, caseworker, dispatch.Search{Phone: "90000123"}), 1)
	case strings.HasSuffix(path, "/mottaker/:sok"):
		return strings.Replace(path, ":sok", s.personOf(t, caseworker), 1)
	case strings.Contains(path, "/utvalg/:utvalg"):
		return strings.Replace(path, ":utvalg", s.bulkOf(t, caseworker), 1)
	case strings.HasSuffix(path, "/sok/:sok"):
		return strings.Replace(path, ":sok", s.searchOf(t, caseworker, dispatch.Search{Words: "Ola"}), 1)
	case strings.Contains(path, "/eksport/:eksport"):
		return strings.Replace(path, ":eksport", s.emptyExport(t, caseworker), 1)
	case strings.Contains(path, "/skjermede/:id"):
		return strings.Replace(path, ":id", s.protectedPerson(t), 1)
	case strings.Contains(path, "/filtre/:id"):
		return strings.Replace(path, ":id", s.filterOf(t, caseworker), 1)
	case strings.Contains(path, "/maler/:id"):
		return strings.NewReplacer(":id", string(s.template(t, teamLead, "Mal "+uuid.NewString(), "Hei")), ":versjon", "1").Replace(path)
	case strings.Contains(path, "/godkjenning/:id"):
		return s.approvalAddress(t, path)
	case strings.HasSuffix(path, "/:id/trekk-tilbake"):
		return s.withdrawable(t, path)
	case strings.Contains(path, "/utkast/:id/flere"), last == "brev-igjen":
		return s.shipmentJobAddress(t, path)
	case ofShipment(r):
		return s.shipmentAddress(t, path)
	case strings.Contains(path, "/jobber/:id"):
		return strings.Replace(path, ":id", string(s.jobFor(t, last)), 1)
	case !ofSMS(r):
		return path
	case slices.Contains(ofDraft, last):
		return strings.Replace(path, ":id", string(s.draft(t, caseworker, message("Utkast"))), 1)
	}
	return strings.Replace(path, ":id", string(s.queued(t, caseworker, message("Sendt"))), 1)
}

// clearDrafts moves the drafts of earlier routes to another user: drafts per person are limited. Those moved before stay as
// they are: to write all of them for each request takes longer than the requests.
func (s *site) clearDrafts(t *testing.T) {
	t.Helper()
	s.run(t, `DELETE FROM approvals`)
	heir := s.as(t, auditor).User
	s.run(t, `UPDATE items SET created_by = $1 WHERE state = 'draft' AND created_by <> $1`, heir)
	s.run(t, `UPDATE jobs SET created_by = $1 WHERE state = 'draft' AND created_by <> $1`, heir)
}

// target is a route with the address of a thing for it, which serves until a request may have changed the thing: to make one
// takes longer than most requests.
type target struct {
	row
	address string
}

// ask sends a request of a person to the target.
func (s *site) ask(t *testing.T, b *browser, to *target, kind, body string, headers ...string) answer {
	t.Helper()
	if to.address == "" {
		to.address = s.address(t, to.row)
	}
	got := b.do(to.method, to.address, kind, body, headers...)
	if to.method == http.MethodPost && got.StatusCode < http.StatusBadRequest {
		to.address = ""
	}
	return got
}
