package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// smsJob is the response time of the SMS service.
type smsJob struct{ Takes time.Duration }

// count is what the SMS service has counted since the last count.
type count struct {
	Calls     int
	Different int     // distinct messages
	Most      int     // most parallel calls
	Seconds   float64 // from the first call to the last answer
}

// messages counts the calls of an SMS service that accepts everything.
type messages struct {
	takes time.Duration

	mu          sync.Mutex
	calls       int
	now, most   int // parallel calls
	seen        map[string]bool
	first, last time.Time
}

func serveSMS(job smsJob) http.Handler {
	m := &messages{takes: job.Takes, seen: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"access_token": uuid.NewString(), "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("POST /count", func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, m.take()) })
	mux.HandleFunc("POST /", m.accept)
	return mux
}

func answerJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // a client that does not get it fails
}

func (m *messages) accept(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.note(string(body))
	time.Sleep(m.takes)
	m.answer()
	answerJSON(w, map[string]string{"id": uuid.NewString()})
	m.answered()
}

func (m *messages) note(body string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == 0 {
		m.first = time.Now()
	}
	m.calls++
	m.seen[body] = true
	m.now++
	m.most = max(m.most, m.now)
}

// answer counts the end of a call before its answer is sent, since the client may call again at once.
func (m *messages) answer() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now--
}

func (m *messages) answered() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = time.Now()
}

// take returns the count and resets it.
func (m *messages) take() count {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := count{m.calls, len(m.seen), m.most, m.last.Sub(m.first).Seconds()}
	m.calls, m.most, m.seen = 0, 0, map[string]bool{}
	return c
}

func takeCount(ctx context.Context, service string) (count, error) {
	var c count
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, service+"/count", nil)
	if err != nil {
		return c, err
	}
	answer, err := newClient().Do(req)
	if err != nil {
		return c, err
	}
	defer answer.Body.Close()
	return c, json.NewDecoder(answer.Body).Decode(&c)
}

// messagesJob posts messages in a bare loop.
type messagesJob struct {
	Service  string
	Messages int
	Parallel int
}

// postMessages is the bare loop.
func postMessages(ctx context.Context, job messagesJob) (struct{}, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: job.Parallel}}
	numbers := make(chan int)
	group, ctx := errgroup.WithContext(ctx)
	for range job.Parallel {
		group.Go(func() error {
			for n := range numbers {
				if _, err := postMessage(ctx, client, job.Service, n); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(numbers)
		for n := range job.Messages {
			select {
			case numbers <- n:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return struct{}{}, group.Wait()
}

// postMessage returns the service's id of the message.
func postMessage(ctx context.Context, client *http.Client, service string, n int) (uuid.UUID, error) {
	body := fmt.Appendf(nil, `{"tekst":"Hei. Timen din er flyttet til torsdag kl. 12.00.","skjulTekstIRapport":false,"telefonnummer":"+479%07d"}`, n)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, service+"/send", bytes.NewReader(body))
	if err != nil {
		return uuid.Nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(req)
	if err != nil {
		return uuid.Nil, err
	}
	defer answer.Body.Close()
	var accepted struct{ ID uuid.UUID }
	err = json.NewDecoder(answer.Body).Decode(&accepted)
	return accepted.ID, err
}
