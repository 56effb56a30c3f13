package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
)

// visitor is a minimal browser. It keeps web's cookie, which a cookie jar would not send without TLS, and follows no redirects.
type visitor struct {
	s      *stage
	client *http.Client
	cookie string
}

// visit starts web and logs in.
func (s *stage) visit(ctx context.Context) (*process, *visitor, error) {
	web, err := s.startWeb(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.login(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, web.stop())
	}
	return web, v, nil
}

var pendingField = regexp.MustCompile(`name="pending" value="([^"]+)"`)

// login logs in the measured user.
func (s *stage) login(ctx context.Context) (*visitor, error) {
	v, err := s.loginAs(ctx, subject)
	if err != nil {
		return nil, err
	}
	return v, v.check(ctx)
}

// loginAs logs in by choosing a user at the login provider.
func (s *stage) loginAs(ctx context.Context, subject string) (*visitor, error) {
	v := &visitor{s: s, client: newClient()}
	begun, err := v.do(ctx, http.MethodGet, s.address+"/logg-inn", form{})
	if err != nil {
		return nil, err
	}
	page, err := v.do(ctx, http.MethodGet, begun.Header.Get("Location"), form{})
	if err != nil {
		return nil, err
	}
	pending := pendingField.FindStringSubmatch(page.body)
	if pending == nil {
		return nil, errors.New("login page has no form")
	}
	chosen, err := v.do(ctx, http.MethodPost, s.issuer+"/authorize", fields(url.Values{"pending": {pending[1]}, "person": {subject}}))
	if err != nil {
		return nil, err
	}
	if _, err := v.do(ctx, http.MethodGet, chosen.Header.Get("Location"), form{}); err != nil {
		return nil, err
	}
	return v, nil
}

// check makes sure that the session is valid.
func (v *visitor) check(ctx context.Context) error {
	list, err := v.page(ctx, "/k/"+slug+"/sms")
	if err == nil && !strings.Contains(list, personName) {
		err = errors.New("login came to nothing")
	}
	return err
}

// newClient returns a client that follows no redirects and has large buffers.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{WriteBufferSize: 64 << 10, MaxIdleConnsPerHost: 8, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// fields are the body of a form.
func fields(values url.Values) form {
	text := values.Encode()
	return form{strings.NewReader(text), "application/x-www-form-urlencoded", int64(len(text))}
}

// answer is what came back, with its body read.
type answer struct {
	*http.Response
	body string
}

// do makes one request. Anything but a page or a redirect is an error.
func (v *visitor) do(ctx context.Context, method, address string, f form) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, f.body)
	if err != nil {
		return answer{}, err
	}
	if f.body != nil {
		req.ContentLength = f.size
		req.Header.Set("Content-Type", f.contentType)
	}
	if strings.HasPrefix(address, v.s.address) {
		req.Header.Set("Cookie", v.cookie)
		req.Header.Set("Accept", "text/html; fragment=dokument")
	}
	return v.send(req)
}

// send sends a request and keeps the session's cookie.
func (v *visitor) send(req *http.Request) (answer, error) {
	response, err := v.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusSeeOther {
		err = fmt.Errorf("%s %s answers %s: %.300s", req.Method, req.URL.Path, response.Status, body)
	}
	for _, c := range response.Cookies() {
		if strings.HasPrefix(c.Name, "__Host-") {
			v.cookie = c.Name + "=" + c.Value
		}
	}
	return answer{response, string(body)}, err
}

// draft makes an empty shipment and returns its id.
func (v *visitor) draft(ctx context.Context) (dispatch.ItemID, error) {
	a, err := v.do(ctx, http.MethodPost, v.s.address+"/k/"+slug+"/forsendelser/ny", fields(url.Values{"nokkel": {uuid.NewString()}}))
	return dispatch.ItemID(path.Base(a.Header.Get("Location"))), err
}

// upload takes a file into a draft, as the page's script does.
func (v *visitor) upload(ctx context.Context, id dispatch.ItemID, c content) error {
	_, err := v.do(ctx, http.MethodPost, v.s.draftAddress(id)+"/dokumenter", c.form("x.bin"))
	return err
}

// discard deletes a draft with its files.
func (v *visitor) discard(ctx context.Context, id dispatch.ItemID) error {
	_, err := v.do(ctx, http.MethodPost, v.s.draftAddress(id)+"/forkast", fields(nil))
	return err
}

func (s *stage) draftAddress(id dispatch.ItemID) string {
	return s.address + "/k/" + slug + "/utkast/" + string(id)
}
