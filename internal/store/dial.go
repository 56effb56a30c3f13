package store

import (
	"context"
	"net"
	"time"
)

// silent is how long the database's machine may give no sign of having got what we sent. Without this a machine that has
// lost its power, or a cut line, is waited for as long as the kernel repeats itself: a quarter of an hour.
const silent = 30 * time.Second

// keepAlive asks a machine that owes us an answer, and has got all that we sent, whether it is still there.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// dialer is how connections to the database are made.
type dialer struct {
	net   net.Dialer
	pulse *pulse
}

// Dial implements pq.Dialer.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// DialContext implements pq.DialerContext.
func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.pulse.frozen() {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errFrozen}
	}
	born := d.pulse.now()
	conn, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &watched{Conn: conn, pulse: d.pulse, born: born}, nil
}
