package store_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/seal"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

const (
	phone      = "90000123"
	nationalID = "12847800123" // synthetic: month + 80
	text       = "Timen din er klokka ti"
	secret     = "hemmelig-passord"
	header     = "hemmelig-hode"
	session    = "innlogget som Kari"
)

// dump is every row of every table as text.
func dump(t *testing.T, r rig) string {
	t.Helper()
	rows, err := r.db.QueryContext(t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all strings.Builder
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		all.WriteString(read[string](t, r, fmt.Sprintf(`SELECT coalesce(string_agg(t::text, E'\n'), '') FROM %q t`, table)))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// secretive fills a database with all that must not be read in it.
func secretive(t *testing.T) rig {
	t.Helper()
	r := newRig(t)
	c := dispatch.Credentials{ClientID: "klient-av-kommunen", ClientSecret: secret, IntegrationID: "i-1", IntegrationPassword: header}
	if _, err := registry.In(r.s).Integrations.Save(t.Context(), r.Integration, c); err != nil {
		t.Fatal(err)
	}
	r.Draft(t, r.s, dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: nationalID}, Text: text})
	r.Queue(t, r.s, storetest.ToPhone(phone, text))
	claim := r.claim(t)
	r.finish(t, claim, rejected())
	if err := items.In(r.s).Decisions.Reveal(t.Context(), r.Account.ID, claim.Item, r.Actor); err != nil {
		t.Fatal(err)
	}
	if err := registry.In(r.s).Sessions.Commit("token-hash", []byte(session), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSealedColumnsHoldNoClearText(t *testing.T) {
	t.Parallel()
	r := secretive(t)
	all := strings.ToLower(dump(t, r))
	if !strings.Contains(all, strings.ToLower(r.Account.SMSAccountID)) {
		t.Fatal("the dump does not hold the rows")
	}
	for _, clear := range []string{phone, nationalID, nationalID[:6], text, "klokka", secret, header, "klient-av-kommunen", session} {
		for _, form := range []string{clear, hex.EncodeToString([]byte(clear)), base64.StdEncoding.EncodeToString([]byte(clear))[:8]} {
			if strings.Contains(all, strings.ToLower(form)) {
				t.Errorf("found %q (of %q) in the database", form, clear)
			}
		}
	}
}

func TestSealedValuesAreBoundToTheirRow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	read := func(r rig, id dispatch.ItemID) error {
		_, err := items.In(r.s).SMS.ByID(t.Context(), r.Account.ID, id)
		return err
	}
	for _, tt := range []struct{ name, update string }{
		{"a recipient of another row does not open", `UPDATE sms SET recipient = o.recipient FROM sms o WHERE sms.item_id = $1 AND o.item_id = $2`},
		{"a text of another row does not open", `UPDATE sms SET text = o.text FROM sms o WHERE sms.item_id = $1 AND o.item_id = $2`},
		{"a text does not open as a recipient", `UPDATE sms SET recipient = text WHERE item_id = $1 AND $2::uuid IS NOT NULL`},
		{"a changed text does not open", `UPDATE sms SET text = set_byte(text, length(text) - 1, get_byte(text, length(text) - 1) # 1) WHERE item_id = $1 AND $2::uuid IS NOT NULL`},
		{"an empty recipient does not open", `UPDATE sms SET recipient = '' WHERE item_id = $1 AND $2::uuid IS NOT NULL`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id, donor := r.in(t, dispatch.StateDraft), r.in(t, dispatch.StateDraft)
			if err := read(r, id); err != nil {
				t.Fatal(err)
			}
			r.exec(t, tt.update, id, donor)
			if err := read(r, id); err == nil {
				t.Error("it opened")
			}
		})
	}
	t.Run("credentials of another integration do not open", func(t *testing.T) {
		two := r.other(t)
		r.exec(t, `UPDATE credentials SET sealed = o.sealed FROM credentials o WHERE credentials.integration_id = $1 AND o.integration_id = $2`,
			two.Integration.ID, r.Integration.ID)
		if _, err := registry.In(r.s).Credentials.InUse(t.Context(), two.Integration.ID); err == nil {
			t.Error("they opened")
		}
		if c, err := registry.In(r.s).Credentials.InUse(t.Context(), r.Integration.ID); err != nil || c.ClientSecret != storetest.ClientSecret {
			t.Errorf("its own do not open: %v", err)
		}
	})
	t.Run("nothing opens with another key set", func(t *testing.T) {
		file, err := seal.New()
		if err != nil {
			t.Fatal(err)
		}
		keys, err := seal.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(store.Options{URL: r.url, Keys: keys})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := items.In(s).SMS.ByID(t.Context(), r.Account.ID, r.in(t, dispatch.StateDraft)); err == nil {
			t.Error("an SMS opened")
		}
	})
}

func TestWhatDoesNotOpenWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.queued(t)
	r.exec(t, `UPDATE sms SET text = recipient WHERE item_id = $1`, id)
	if c, err := queue.In(r.s).Claims.Claim(t.Context(), r.lane(), time.Minute); c != nil || err == nil {
		t.Fatalf("claimed %v, %v", c, err)
	}
	key := read[string](t, r, `SELECT reason_key FROM items WHERE id = $1 AND due_at > now()`, id)
	if got := r.state(t, id); got != dispatch.StateQueued || key != "reason.sealed" {
		t.Errorf("it is %s because of %q: it was surely not sent", got, key)
	}
}

func TestKeyedHashes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	hashes := func(m dispatch.SMS) (recipient, lastThree string) {
		id := r.Draft(t, r.s, m)
		return read[string](t, r, `SELECT recipient_hash::text FROM sms WHERE item_id = $1`, id),
			read[string](t, r, `SELECT coalesce(last_three_hash::text, '') FROM sms WHERE item_id = $1`, id)
	}
	want, wantThree := hashes(storetest.ToPhone("90000123", text))
	if len(want) != len(`\x`)+64 || wantThree == "" {
		t.Fatalf("got hashes %q and %q", want, wantThree)
	}
	for _, tt := range []struct {
		name            string
		m               dispatch.SMS
		same, sameThree bool
	}{
		{"+47 means the same number", storetest.ToPhone("+4790000123", text), true, true},
		{"0047 means the same number", storetest.ToPhone("004790000123", "Noe annet"), true, true},
		{"a number of another country is another", storetest.ToPhone("+4690000123", text), false, true},
		{"a number with other last digits is another", storetest.ToPhone("90000124", text), false, false},
		{"a national id has another hash and no last digits", dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847890123"}, Text: text}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, gotThree := hashes(tt.m)
			if (got == want) != tt.same || (gotThree == wantThree) != tt.sameThree {
				t.Errorf("same number %t, want %t; same last digits %t, want %t", got == want, tt.same, gotThree == wantThree, tt.sameThree)
			}
		})
	}
	t.Run("a draft that is changed changes its hash", func(t *testing.T) {
		id := r.Draft(t, r.s, storetest.ToPhone("90000999", text))
		if err := items.In(r.s).SMS.ChangeDraft(t.Context(), r.Account.ID, id, r.Actor, storetest.ToPhone("+4790000123", text)); err != nil {
			t.Fatal(err)
		}
		if got := read[string](t, r, `SELECT recipient_hash::text FROM sms WHERE item_id = $1`, id); got != want {
			t.Error("the hash is another")
		}
	})
}
