package plain

import (
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Jar is a cookie jar by host. Unlike net/http/cookiejar it treats localhost as secure, as browsers do.
type Jar struct {
	mu     sync.Mutex
	byHost map[string]map[string]*http.Cookie
}

// NewJar returns an empty jar.
func NewJar() *Jar { return &Jar{byHost: map[string]map[string]*http.Cookie{}} }

// SetCookies stores the cookies of an answer.
func (j *Jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.byHost[u.Hostname()] == nil {
		j.byHost[u.Hostname()] = map[string]*http.Cookie{}
	}
	for _, c := range cookies {
		if c.MaxAge < 0 || !c.Expires.IsZero() && c.Expires.Before(time.Now()) {
			delete(j.byHost[u.Hostname()], c.Name)
		} else {
			j.byHost[u.Hostname()][c.Name] = c
		}
	}
}

// Cookies returns the cookies of a same-site request.
func (j *Jar) Cookies(u *url.URL) []*http.Cookie { return j.cookies(u, true, true) }

// cookies returns the cookies of a request: from the same site or not, and allowed by SameSite=Lax or not.
func (j *Jar) cookies(u *url.URL, sameSite, lax bool) (sent []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range j.byHost[u.Hostname()] {
		switch {
		case c.Secure && u.Scheme != "https" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1":
		case c.Path != "" && c.Path != "/" && u.Path != c.Path && !strings.HasPrefix(u.Path, strings.TrimSuffix(c.Path, "/")+"/"):
		case !sameSite && c.SameSite != http.SameSiteNoneMode && !(lax && c.SameSite != http.SameSiteStrictMode):
		default:
			sent = append(sent, &http.Cookie{Name: c.Name, Value: c.Value})
		}
	}
	return sent
}

// Each iterates over all cookies, each with the host that set it.
func (j *Jar) Each() iter.Seq2[string, *http.Cookie] {
	return func(yield func(string, *http.Cookie) bool) {
		j.mu.Lock()
		defer j.mu.Unlock()
		for host, cookies := range j.byHost {
			for c := range maps.Values(cookies) {
				if !yield(host, c) {
					return
				}
			}
		}
	}
}
