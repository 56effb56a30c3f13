package delivery_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// Answers of an intermediary that has passed a request on: each row of clients.answers is met if anything was sent.
var (
	onWayStatuses = []int{503, 429, 401, 403, 413, 502, 400, 404, 405, 307, 408, 409, 422, 500, 504, 200}
	onWayBodies   = map[string]string{
		"html":    "<!doctype html><title>503</title><h1>Not now</h1>",
		"empty":   "",
		"foreign": `{"timestamp":"2026-03-02T09:00:00Z","status":503,"error":"Service Unavailable","path":"/"}`,
	}
	onWayWord = regexp.MustCompile(`svar-(\d+)-(\w+)`)
)

// onTheWay forwards requests that contain such a word, and answers in the service's place.
func onTheWay(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what does not come whole holds no word
		r.Body = io.NopCloser(bytes.NewReader(body))
		word := onWayWord.FindSubmatch(body)
		if word == nil {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(httptest.NewRecorder(), r)
		status, _ := strconv.Atoi(string(word[1]))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, onWayBodies[string(word[2])])
	})
}

// onWayWords are all such words, repeated.
func onWayWords(times int) []string {
	var words []string
	for _, status := range onWayStatuses {
		for body := range onWayBodies {
			for n := range times {
				words = append(words, fmt.Sprintf("svar-%d-%s nr %d", status, body, n))
			}
		}
	}
	return words
}

// An intermediary may answer anything after it has passed a message on: the message is sent once, and is accepted
// only if that is known.
func TestAnswersOnTheWaySMS(t *testing.T) {
	t.Parallel()
	r := newRig(t, simulator.Options{}, onTheWay)
	r.with(t, func(in *dispatch.Integration) { in.Parallelism = 8 })
	ids := map[dispatch.ItemID]string{}
	for _, word := range onWayWords(onWayTimes) {
		ids[r.Queue(t, r.s, storetest.ToPhone(number("020"), "Timen din "+word))] = word
	}
	r.start(t)
	await.True(t, "all are tried", func() bool {
		r.exec(t, `UPDATE integrations SET uncertain_streak = 0, stopped_at = NULL`)
		r.exec(t, `UPDATE items SET due_at = now() WHERE id IN ( -- not waiting for a row that delivery has locked
			SELECT id FROM items WHERE state = 'queued' AND due_at > now() + interval '1 second' FOR UPDATE SKIP LOCKED)`)
		return r.count(t, dispatch.StateQueued)+r.count(t, dispatch.StateSending) == 0 || len(r.sim.Books()) > len(ids)
	})
	for id, word := range ids {
		it := r.Item(t, r.s, id)
		if n := r.booked(it.Recipient.Phone); n != 1 || it.State != dispatch.StateUncertain {
			t.Errorf("%s: went %d times, and is %s (%s)", word, n, it.State, it.Reason.Key)
		}
	}
	if r.refused(t) {
		t.Error("the integration is called refused")
	}
}

// Shipments are found again, by the id from the service.
func TestAnswersOnTheWayShipments(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T) *shipments{
		"V2": func(t *testing.T) *shipments {
			l := shipmentsTo(t, knowing(simulator.Options{}))
			l.sendOver(t, l.v2(t))
			return l
		},
		"V1": func(t *testing.T) *shipments {
			l := shipmentsTo(t, simulator.Options{})
			l.sendOver(t, l.v1(t))
			return l
		},
		"V1 without reserved ids": func(t *testing.T) *shipments {
			l := shipmentsTo(t, simulator.Options{})
			l.sendOver(t, l.v1(t, unreserved))
			return l
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := make(t)
			l.sends.next = onTheWay(l.sends.next)
			ids := map[dispatch.ItemID]string{}
			for _, word := range onWayWords(onWayTimes) {
				ids[l.send(t, word, filedAs(uuid.NewString()))] = word
			}
			l.work(t, func(o *delivery.Options) { o.Window = time.Hour })
			await.True(t, "all are known", func() bool {
				l.exec(t, `UPDATE integrations SET uncertain_streak = 0, stopped_at = NULL`)
				l.exec(t, `UPDATE items SET recover_at = now() WHERE id IN (
					SELECT id FROM items WHERE state = 'uncertain' AND recover_at > now() + interval '1 second' AND recover_at < now() + interval '1 minute' FOR UPDATE SKIP LOCKED)`)
				return ask[int](t, l, `SELECT count(*) FROM items WHERE state <> 'accepted'`) == 0 || len(l.sim.Shipments()) > len(ids) ||
					ask[bool](t, l, `SELECT EXISTS (SELECT FROM integrations WHERE refused_at IS NOT NULL)`)
			})
			if refused, accounts := l.refused(t); refused || accounts > 0 {
				t.Errorf("the integration is refused: %t, and %d accounts", refused, accounts)
			}
			for id, word := range ids {
				it, sent := l.item(t, id), l.shipped(word)
				if len(sent) != 1 || it.State != dispatch.StateAccepted || !strings.EqualFold(it.UpstreamID, sent[0].ID) {
					t.Errorf("%s: went %d times, and is %s (%s)", word, len(sent), it.State, it.Reason.Key)
				}
			}
		})
	}
}

// onWayTimes is how often each answer is met: once is cheap. Ten times each were tested by hand, with no duplicate.
const onWayTimes = 1
