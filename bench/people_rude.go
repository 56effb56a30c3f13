package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// rudeness counts the outcomes of slow, idle and many connections.
type rudeness struct {
	opened, refused, idleClosed   atomic.Int64
	slow                          [3]atomic.Int64 // by manner
	slowClosed                    [3]atomic.Int64
	longest                       [3]atomic.Int64 // seconds until they were closed
	silentClosed, silent, waiting atomic.Int64
}

// manners are ways to be slow: one byte a second.
var manners = [3]string{"slow headers", "slow forms", "slow uploads"}

// slowEach is how many are slow in each manner.
const slowEach = 100

// beRude opens idle connections, is slow in every manner, and uploads many files at once, until ctx ends.
func (l *loaded) beRude(ctx context.Context, r *rudeness, d *ledger) error {
	var all sync.WaitGroup
	defer all.Wait()
	for i := range l.c.idle {
		host := strings.TrimPrefix(l.bases[i%len(l.bases)], "http://")
		all.Go(func() { r.idle(ctx, host, i%2 == 0) })
		if i%100 == 99 {
			time.Sleep(20 * time.Millisecond) // the backlog of connections is limited
		}
	}
	for manner := range manners {
		for i := range slowEach {
			p := l.people[i%len(l.people)]
			all.Go(func() { r.beSlow(ctx, p, manner) })
		}
	}
	for i := range l.c.uploads {
		p := l.people[i%len(l.people)]
		all.Go(func() {
			quiet := newLedger()
			draft, ok := p.post(ctx, quiet, "", accountPath("/forsendelser/ny"), "nokkel", uuid.NewString())
			if ok {
				p.upload(context.WithoutCancel(ctx), d, fmt.Sprintf("%d uploads at once", l.c.uploads), draft.Header.Get("Location"))
			}
		})
	}
	return nil
}

// idle opens a connection, asks for nothing or for one small answer, and waits to be closed.
func (r *rudeness) idle(ctx context.Context, host string, silent bool) {
	conn, err := (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", host)
	if err != nil {
		r.refused.Add(1)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r.opened.Add(1)
	if silent {
		r.silent.Add(1)
	} else if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, conn) // until one side closes
	if ctx.Err() != nil {
		r.waiting.Add(1)
	} else if silent {
		r.silentClosed.Add(1)
	} else {
		r.idleClosed.Add(1)
	}
}

// beSlow sends a request byte by byte until the server closes the connection.
func (r *rudeness) beSlow(ctx context.Context, p *person, manner int) {
	host := strings.TrimPrefix(p.base, "http://")
	conn, err := (&net.Dialer{Timeout: 30 * time.Second}).DialContext(ctx, "tcp", host)
	if err != nil {
		r.refused.Add(1)
		return
	}
	defer conn.Close()
	head := "POST " + accountPath("/sms/ny") + " HTTP/1.1\r\nHost: " + host + "\r\nCookie: " + p.cookie + "\r\nContent-Length: 100000\r\nContent-Type: "
	switch manner {
	case 0:
		head = "GET / HTTP/1.1\r\nHost: " + host + "\r\nX-Slow: "
	case 1:
		head += "application/x-www-form-urlencoded\r\n\r\ntekst="
	case 2:
		draft, ok := p.post(ctx, newLedger(), "", accountPath("/forsendelser/ny"), "nokkel", uuid.NewString())
		if !ok {
			return
		}
		head = strings.Replace(head, accountPath("/sms/ny"), draft.Header.Get("Location")+"/dokumenter", 1) +
			"multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"fil\"; filename=\"brev.pdf\"\r\n\r\n%PDF"
	}
	if _, err := io.WriteString(conn, head); err != nil {
		return
	}
	r.slow[manner].Add(1)
	began, closed := time.Now(), make(chan bool)
	go func() {
		defer close(closed)
		if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
			_ = answer.Body.Close() // the server has ended the request
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-closed:
			r.slowClosed[manner].Add(1)
			r.longest[manner].Store(max(r.longest[manner].Load(), int64(time.Since(began).Seconds())))
			return
		case <-time.After(time.Second):
			_, _ = conn.Write([]byte("a")) // closed reports a failure
		}
	}
}

func (r *rudeness) print(out io.Writer) {
	silent, opened := r.silent.Load(), r.opened.Load()
	fmt.Fprintf(out, "\n- idle connections: %d were opened, %d refused. Of %d that said nothing %d were closed meanwhile, of %d that had asked once %d; %d were open at the end.\n",
		opened, r.refused.Load(), silent, r.silentClosed.Load(), opened-silent, r.idleClosed.Load(), r.waiting.Load())
	for i, manner := range manners {
		fmt.Fprintf(out, "- %s: %d clients of one byte a second, %d of them closed by the server, after %d seconds at most\n", manner, r.slow[i].Load(), r.slowClosed[i].Load(), r.longest[i].Load())
	}
}
