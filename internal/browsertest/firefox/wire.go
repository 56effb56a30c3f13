package firefox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/net/websocket"
)

// wire is a BiDi connection: commands with answers, and events.
type wire struct {
	conn  *websocket.Conn
	heard func(method string, params json.RawMessage)

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	broken  error
}

// message is an answer or an event.
type message struct {
	Type    string          `json:"type"`
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

// most is the largest message: a page's HTML.
const most = 64 << 20

// origin is where Firefox is told that we come from: without one it lets no web page drive it.
const origin = "http://127.0.0.1/"

func dial(address string) (*wire, error) {
	conn, err := websocket.Dial(address, "", origin)
	if err != nil {
		return nil, err
	}
	conn.MaxPayloadBytes = most
	w := &wire{conn: conn, waiting: map[int]chan message{}, heard: func(string, json.RawMessage) {}}
	go w.listen()
	return w, nil
}

func (w *wire) close() { _ = w.conn.Close() }

// listen hands on what arrives, in order, until the connection ends.
func (w *wire) listen() {
	for {
		var content []byte
		if err := websocket.Message.Receive(w.conn, &content); err != nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.broken = err
			for _, answer := range w.waiting {
				close(answer)
			}
			w.waiting = nil
			return
		}
		var m message
		if json.Unmarshal(content, &m) != nil {
			continue
		}
		if m.Type == "event" {
			w.heard(m.Method, m.Params)
			continue
		}
		w.mu.Lock()
		answer := w.waiting[m.ID]
		delete(w.waiting, m.ID)
		w.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// call sends a command and reads its answer.
func (w *wire) call(method string, params, result any) error {
	answer := make(chan message, 1)
	w.mu.Lock()
	if w.broken != nil {
		w.mu.Unlock()
		return w.broken
	}
	w.last++
	id := w.last
	w.waiting[id] = answer
	w.mu.Unlock()
	command, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := websocket.Message.Send(w.conn, string(command)); err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return errors.New("the connection to Firefox is closed")
		case m.Error != "":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: no answer", method)
	}
}
