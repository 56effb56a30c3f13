package main

import (
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections bounds how many connections a server has at once. When there are more, the one that has waited for longest between requests
// is closed, so that idle clients never keep others out; only when requests run on all of them, a new one is turned away. Per address
// would not do: those of a proxy, or of a whole municipality, all come from one.
type connections struct {
	most int
	log  *slog.Logger

	mu      sync.Mutex
	waiting *list.List                 // of net.Conn, longest first: new ones, and those between two requests
	open    map[net.Conn]*list.Element // its place in waiting; nil: a request runs
	told    time.Time
}

func limitConnections(most int, log *slog.Logger) *connections {
	return &connections{most: most, log: log, waiting: list.New(), open: map[net.Conn]*list.Element{}}
}

// changed follows a connection through its states; it is an http.Server's ConnState.
func (l *connections) changed(c net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	place, open := l.open[c]
	if !open && state != http.StateNew {
		return // it was closed to make room
	}
	if place != nil {
		l.waiting.Remove(place)
	}
	switch state {
	case http.StateNew, http.StateIdle:
		l.open[c] = l.waiting.PushBack(c)
		l.makeRoom()
	case http.StateActive:
		l.open[c] = nil
	default:
		delete(l.open, c)
	}
}

// makeRoom closes the connection that has waited for longest if there are too many. There is one that waits: the newest.
func (l *connections) makeRoom() {
	if len(l.open) <= l.most {
		return
	}
	c := l.waiting.Remove(l.waiting.Front()).(net.Conn)
	delete(l.open, c)
	_ = c.Close() // nothing is under way on it
	if now := time.Now(); now.Sub(l.told) > time.Minute {
		l.told = now
		l.log.Warn("there are too many connections: those that have waited for longest are closed", "most", l.most)
	}
}
