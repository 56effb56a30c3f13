package store

import (
	"context"
	"net"
	"time"
)

// silent is the TCP user timeout: how long sent data may stay unacknowledged. The kernel's default would wait a
// quarter of an hour for a host that lost power or a cut line.
const silent = 30 * time.Second

// keepAlive probes a host that owes us an answer and has acknowledged all that we sent.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// dialer opens connections to the database.
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
