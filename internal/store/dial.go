package store

import (
	"net"
	"time"
)

// silent is how long the database's machine may give no sign of having got what we sent. Without this a machine that has
// lost its power, or a cut line, is waited for as long as the kernel repeats itself: a quarter of an hour.
const silent = 30 * time.Second

// keepAlive asks a machine that owes us an answer, and has got all that we sent, whether it is still there.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// dialer is how connections to the database are made.
type dialer struct{ *net.Dialer }

// DialTimeout implements pq.Dialer.
func (d dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	own := *d.Dialer
	own.Timeout = timeout
	return own.Dial(network, address)
}
