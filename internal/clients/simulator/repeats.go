package simulator

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// repeatWindow is how long alike shipments are counted (upstream-facts, section 2.3).
const repeatWindow = 48 * time.Hour

// repeat counts alike shipments.
type repeat struct {
	accepted int
	last     time.Time // of the last attempt, refused ones included
}

// Refusal is an error answer with its own message.
type Refusal struct {
	status        int
	code, message string
}

// Refuse answers with a refusal.
func (x *Exchange) Refuse(r Refusal) {
	m := x.errorMessage(r.status, "simulated")
	m.ErrorCode, m.Message = r.code, r.message
	x.answer(r.status, m)
}

// duplicateOf is the answer to a second submission under one id.
//
// Assumption: the text; of the real one only the word "Duplikat" is known (upstream-facts, section 2.3). It has no
// code.
func duplicateOf(id string, status int) Refusal {
	return Refusal{status: status, message: strings.TrimSpace("Duplikat: forsendelsen finnes fra før " + id)}
}

func repeatedShipment() Refusal {
	return Refusal{
		status:  http.StatusBadRequest,
		code:    "GJENTAGENDE_FORSENDELSE",
		message: "Forsendelse med samme mottaker, tittel, avsender og filer er forsøkt sendt tidligere",
	}
}

// Claim locks an id while its submission is answered, so that of two concurrent ones only one is accepted. It refuses
// an id that was used before, and a shipment over the limit of alike ones.
func (x *Exchange) Claim(id string, u upload) (release func(), no *Refusal) {
	x.Sim.mu.Lock()
	defer x.Sim.mu.Unlock()
	books, o := &x.Sim.shipments, x.Sim.Options
	_, used := books.byID[id]
	again := o.RepostStatus == http.StatusOK
	switch {
	case id != "" && (used && !again || books.claimed[id]):
		return nil, new(duplicateOf(id, max(o.RepostStatus, http.StatusBadRequest)))
	case books.tooMany(u.fingerprint(x.AccountID), o.Now(), o.RepeatLimit):
		return nil, new(repeatedShipment())
	}
	books.claimed[id] = id != ""
	return func() {
		x.Sim.mu.Lock()
		defer x.Sim.mu.Unlock()
		delete(books.claimed, id)
	}, nil
}

// tooMany tells whether the limit of alike shipments is reached. A refused attempt counts: after it, two days must
// pass.
func (b *shipmentBooks) tooMany(fingerprint string, now time.Time, limit int) bool {
	r := b.repeats[fingerprint]
	if now.Sub(r.last) >= repeatWindow || r.accepted < limit {
		return false
	}
	r.last = now
	b.repeats[fingerprint] = r
	return true
}

func (b *shipmentBooks) count(fingerprint string, now time.Time) {
	r := b.repeats[fingerprint]
	if now.Sub(r.last) >= repeatWindow {
		r.accepted = 0
	}
	b.repeats[fingerprint] = repeat{accepted: r.accepted + 1, last: now}
}

// fingerprint is equal for shipments of one sender with the same title, recipient and files.
func (u upload) fingerprint(owner string) string {
	to := u.fields.To
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %q %q %q %q", owner, u.fields.Title, to.NationalID, to.OrganizationNumber, *to.Postal)
	for _, d := range u.documents {
		_, _ = fmt.Fprintf(h, " %q %s", d.FileName, d.SHA256)
	}
	return string(h.Sum(nil))
}
