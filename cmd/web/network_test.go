package main_test

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// network is a TCP proxy between the programs and a server that can delay, silence or cut connections.
type network struct {
	to    func() (net.Conn, error)
	own   net.Listener
	mu    sync.Mutex
	state networkState
	clear *sync.Cond // the state has changed
	conns map[net.Conn]bool
}

type networkState int

const (
	networkOpen   networkState = iota
	networkSlow                // each read is delayed
	networkSilent              // nothing is forwarded, and connections stay open
	networkCut                 // connections are closed and refused
)

// newNetwork proxies TCP on loopback to an address.
func newNetwork(t *testing.T, address string) *network {
	t.Helper()
	own, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return proxied(t, own, func() (net.Conn, error) { return net.Dial("tcp", address) })
}

// newSocketNetwork proxies PostgreSQL's socket in a directory to one in a directory of its own, which it returns.
func newSocketNetwork(t *testing.T, dir string) (*network, string) {
	t.Helper()
	const name = ".s.PGSQL.5432"
	here, err := os.MkdirTemp("", "utsending-net-") // short: a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(here) })
	own, err := net.Listen("unix", filepath.Join(here, name))
	if err != nil {
		t.Fatal(err)
	}
	return proxied(t, own, func() (net.Conn, error) { return net.Dial("unix", filepath.Join(dir, name)) }), here
}

func proxied(t *testing.T, own net.Listener, to func() (net.Conn, error)) *network {
	n := &network{to: to, own: own, conns: map[net.Conn]bool{}}
	n.clear = sync.NewCond(&n.mu)
	go n.serve()
	t.Cleanup(func() {
		_ = own.Close()
		n.set(networkCut)
	})
	return n
}

// set changes what happens to connections.
func (n *network) set(state networkState) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.state = state
	n.clear.Broadcast()
	if state == networkCut {
		for conn := range n.conns {
			_ = conn.Close() // both ends, so that both notice
		}
		clear(n.conns)
	}
}

func (n *network) serve() {
	for {
		conn, err := n.own.Accept()
		if err != nil {
			return
		}
		go n.connect(conn)
	}
}

func (n *network) connect(from net.Conn) {
	defer from.Close()
	if n.pass() == networkCut {
		return
	}
	to, err := n.to()
	if err != nil {
		return
	}
	defer to.Close()
	if !n.note(from, to) {
		return
	}
	defer n.forget(from, to)
	var both sync.WaitGroup
	both.Go(func() { n.pump(from, to) })
	both.Go(func() { n.pump(to, from) })
	both.Wait()
}

func (n *network) note(conns ...net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.state == networkCut {
		return false
	}
	for _, conn := range conns {
		n.conns[conn] = true
	}
	return true
}

func (n *network) forget(conns ...net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range conns {
		delete(n.conns, conn)
	}
}

// pump forwards one direction until an end closes.
func (n *network) pump(from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		size, err := from.Read(buffer)
		if size > 0 {
			if n.pass() == networkSlow {
				time.Sleep(20 * time.Millisecond)
			}
			if _, err := to.Write(buffer[:size]); err != nil {
				_ = from.Close() // the other direction ends too
				return
			}
		}
		if err != nil {
			if half, ok := to.(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite()
			}
			return
		}
	}
}

// pass waits until data may pass, and returns the state.
func (n *network) pass() networkState {
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.state == networkSilent {
		n.clear.Wait()
	}
	return n.state
}
