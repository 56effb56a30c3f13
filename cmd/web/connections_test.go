package main

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestTooManyConnections: idle connections give way, the oldest first; requests that run are not disturbed, and only when they fill the
// server a new one is turned away.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	began := make(chan struct{}, 10)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			began <- struct{}{}
			<-release
		}
		_, _ = io.WriteString(w, "ok")
	}))
	idle := make(chan struct{}, 10)
	limit := limitConnections(3, slog.New(slog.DiscardHandler))
	server.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if limit.changed(c, state); state == http.StateIdle {
			idle <- struct{}{}
		}
	}
	server.Start()
	defer server.Close()
	open := func() net.Conn {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(5 * time.Minute)) // hanging fails
		return c
	}
	ask := func(c net.Conn, path string) { _, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n") }
	answers := func(c net.Conn) bool {
		got, err := http.ReadResponse(bufio.NewReader(c), nil)
		return err == nil && got.StatusCode == http.StatusOK
	}
	closed := func(c net.Conn) bool {
		_, err := c.Read(make([]byte, 1))
		return err != nil
	}
	once := func() net.Conn { // an idle connection; the client has its answer before the server takes it for idle
		c := open()
		if ask(c, "/"); !answers(c) {
			t.Fatal("no answer")
		}
		<-idle
		return c
	}
	long := open()
	ask(long, "/long")
	<-began
	first, second := once(), once()
	third := once()
	if !closed(first) {
		t.Error("the oldest was not closed")
	}
	if ask(second, "/"); !answers(second) {
		t.Error("the one after it was closed too")
	}
	ask(second, "/long")
	<-began
	ask(third, "/long")
	<-began
	if !closed(open()) {
		t.Error("one was taken above the limit")
	}
	close(release)
	for _, c := range []net.Conn{long, second, third} {
		if !answers(c) {
			t.Error("a request that ran was disturbed")
		}
	}
}
