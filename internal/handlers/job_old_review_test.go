package handlers_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// TestOldReviewOfUnreached: a review of a draft to those whom a job did not reach is sent after they were sent the same elsewhere, or left
// out in another tab. The answer says that nothing was sent and why, and promises nothing.
func TestOldReviewOfUnreached(t *testing.T) {
	t.Parallel()
	for kind, draftOf := range map[dispatch.Kind]func(*testing.T, *site, *browser) (list, edit, fix string){
		dispatch.KindSMS: func(t *testing.T, s *site, b *browser) (list, edit, fix string) {
			job := s.sentToTwo(t, b)
			s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now()`)
			s.run(t, `UPDATE jobs SET state = 'done', done_at = now() WHERE sent_at IS NOT NULL`)
			draft := strings.TrimSuffix(b.post(job+"/igjen", fields("nokkel", uuid.NewString())).location(), "/endre")
			return draft, draft + "/endre", draft + "/ikke-nadd"
		},
		dispatch.KindShipment: func(t *testing.T, s *site, b *browser) (list, edit, fix string) {
			at := s.newShipmentList(t, b, "fil", "fil:Navn;Adresse;Postnr;Poststed\nOla Nordmann;Storgata 1;7713;Steinkjer\nKari Nordmann;Storgata 2;7713;Steinkjer\n")
			job := b.send(at + "/flere").location()
			s.makeItems(t)
			s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE job_position > 0`)
			draft := b.post(job+"/brev-igjen", fields("nokkel", uuid.NewString())).location()
			return draft, draft, draft + "/feil"
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := s.browser(t, caseworker)
			list, edit, fix := draftOf(t, s, b)
			review := b.get(list + "/kontroll").seen()
			if review == "" {
				t.Fatal("there is no review")
			}
			send := func() answer { return b.post(list+"/send", fields("sett", review)) }
			one := s.number(t, `SELECT min(position) FROM job_rows r JOIN jobs j ON j.id = r.job_id WHERE j.state = 'draft'`)
			s.run(t, `INSERT INTO items (id, account_id, kind, created_by, form_key, state, due_at, due_since, origin_id, origin_kind)
				SELECT gen_random_uuid(), account_id, kind, created_by, gen_random_uuid(), 'queued', now(), now(), id, 'replaces' FROM items WHERE job_position = $1`, one)
			refused := send()
			wantWords(t, refused, "Ingenting er sendt. 1 rad er tatt med i en annen utsending")
			if refused.StatusCode != http.StatusUnprocessableEntity || strings.Contains(refused.body, "Dette er det som blir sendt nå") {
				t.Errorf("the old review is answered with %d", refused.StatusCode)
			}
			other := strconv.Itoa(one + 1)
			b.post(fix, fields("rad", other, "utelat-"+other, "true", "etter", "0"))
			const nobody = "Ingenting er sendt. Ingen på listen er igjen å sende til."
			if at := send().location(); at != edit {
				t.Fatalf("with nobody left, the old review leads to %q", at)
			}
			wantWords(t, b.get(edit), nobody, "Alle radene som er med, må utelates.")
			first := strconv.Itoa(one)
			b.post(fix, fields("rad", first, "utelat-"+first, "true", "rad", other, "utelat-"+other, "true", "etter", "0"))
			send()
			wantWords(t, b.get(edit), nobody)
			if n := s.number(t, `SELECT count(*) FROM jobs WHERE state = 'draft'`); n != 1 {
				t.Errorf("%d drafts are left, want the one that cannot be sent", n)
			}
		})
	}
}

// TestSendThatLeadsBack: whoever sends a review of a draft that cannot be sent as it is by now is told that nothing was sent.
func TestSendThatLeadsBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := newList(t, b, "liste", "90000101\n90000102")
	b.post(job+"/endre", fields("tekst", "Hei", "mate", "traceable"))
	list := s.newShipmentList(t, b, "fil", "fil:Navn;Adresse;Postnr;Poststed\nOla Nordmann;Storgata 1;7713;Steinkjer\n")
	for name, c := range map[string]struct{ review, send, change, to string }{
		"an SMS to many whose time is over":     {job, job, `UPDATE jobs SET send_at = now() - interval '1 minute' WHERE kind = 'sms'`, job + "/endre"},
		"a shipment to one that has got a list": {list + "/flere", list, `SELECT`, list + "/flere/kontroll"},
	} {
		seen := b.get(c.review + "/kontroll").seen()
		s.run(t, c.change)
		if at := b.post(c.send+"/send", fields("sett", seen, "versjon", "1")).location(); at != c.to {
			t.Errorf("%s leads to %q", name, at)
		}
		wantWords(t, b.get(c.to), "Ingenting er sendt. Se over utkastet på nytt.")
	}
}
