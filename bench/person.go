package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"utsending/internal/pdf/pdftest"
	"utsending/internal/store/seeds"
)

// person is a simulated user with one browser at one copy of web.
type person struct {
	v      *visitor // its client alone
	base   string
	cookie string
	dice   *rand.Rand
	items  []string // paths on the list last seen
}

func newPerson(v *visitor, base string, i int) *person {
	return &person{v: &visitor{s: v.s, client: v.client}, base: base, cookie: v.cookie, dice: rand.New(rand.NewPCG(17, uint64(i)))}
}

// acts are what people do, and how often, out of a hundred.
var acts = []struct {
	share int
	do    func(*person, context.Context, *ledger)
}{
	{30, (*person).list}, {20, (*person).item}, {12, (*person).search}, {12, (*person).worklist}, {4, (*person).lead}, {8, (*person).overview},
	{10, (*person).sms}, {4, (*person).shipment},
}

// work acts and thinks in turn until ctx ends. An act that has begun is finished.
func (p *person) work(ctx context.Context, think time.Duration, d *ledger) {
	for p.pause(ctx, think) {
		n := p.dice.IntN(100)
		for _, a := range acts {
			if n -= a.share; n < 0 {
				a.do(p, context.WithoutCancel(ctx), d)
				break
			}
		}
	}
}

// pause waits for a think time; false when ctx has ended.
func (p *person) pause(ctx context.Context, think time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(p.dice.ExpFloat64() * float64(think))):
		return true
	}
}

// ask makes one request and records its duration.
func (p *person) ask(ctx context.Context, d *ledger, kind, method, path string, f form) (answer, bool) {
	if address, err := url.Parse(path); err == nil && address.Host != "" {
		path = address.RequestURI()
	}
	req, err := http.NewRequestWithContext(ctx, method, p.base+path, f.body)
	if err != nil {
		d.enter(kind, 0, err)
		return answer{}, false
	}
	if f.body != nil {
		req.ContentLength = f.size
		req.Header.Set("Content-Type", f.contentType)
	}
	req.Header.Set("Cookie", p.cookie)
	if req.Header.Set("Accept", "text/html"); strings.HasPrefix(f.contentType, "multipart/") {
		req.Header.Set("Accept", "text/html; fragment=dokument") // as the page's script asks
	}
	began := time.Now()
	a, err := p.v.send(req)
	if err == nil && method == http.MethodGet && !strings.Contains(a.body, "</html>") {
		err = fmt.Errorf("%s answers %s with no page", req.URL.Path, a.Status)
	}
	d.enter(kind, time.Since(began), err)
	return a, err == nil
}

func (p *person) get(ctx context.Context, d *ledger, kind, path string) (answer, bool) {
	return p.ask(ctx, d, kind, http.MethodGet, path, form{})
}

func (p *person) post(ctx context.Context, d *ledger, kind, path string, pairs ...string) (answer, bool) {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return p.ask(ctx, d, kind, http.MethodPost, path, fields(values))
}

var itemLink = regexp.MustCompile(`href="(/k/` + crowdSlug + `/(?:sms|forsendelser)/[0-9a-f-]{36})["?#]`)

func (p *person) list(ctx context.Context, d *ledger) {
	if a, ok := p.get(ctx, d, "list", accountPath("/utsendinger")); ok {
		p.items = p.items[:0]
		for _, m := range itemLink.FindAllStringSubmatch(a.body, -1) {
			p.items = append(p.items, m[1])
		}
	}
}

func (p *person) item(ctx context.Context, d *ledger) {
	if len(p.items) == 0 {
		p.list(ctx, d)
		return
	}
	p.get(ctx, d, "item", p.items[p.dice.IntN(len(p.items))])
}

func (p *person) search(ctx context.Context, d *ledger) {
	if a, ok := p.post(ctx, d, "search", accountPath("/sok"), "q", seeds.LastName(p.dice.IntN(20_000))); ok && a.StatusCode == http.StatusSeeOther {
		p.get(ctx, d, "search: what was found", a.Header.Get("Location"))
	}
}

func (p *person) worklist(ctx context.Context, d *ledger) {
	p.get(ctx, d, "worklist", accountPath("/oppfolging"))
}
func (p *person) lead(ctx context.Context, d *ledger) { p.get(ctx, d, "lead", accountPath("/ledelse")) }
func (p *person) overview(ctx context.Context, d *ledger) {
	p.get(ctx, d, "overview", accountPath("/"))
}

// phones counts the recipients: each gets one SMS.
var phones atomic.Int64

// sms writes an SMS, reviews it and sends it.
func (p *person) sms(ctx context.Context, d *ledger) {
	if _, ok := p.get(ctx, d, "SMS: form", accountPath("/sms/ny")); !ok {
		return
	}
	saved, ok := p.post(ctx, d, "SMS: save", accountPath("/sms/ny"), "nokkel", uuid.NewString(), "mottaker", "telefonnummer",
		"telefonnummer", phone(phones.Add(1)).Reveal(), "tekst", "Hei. Timen din er flyttet til torsdag. Hilsen Fjordvik kommune "+uuid.NewString()[:8])
	if !ok {
		return
	}
	review := saved.Header.Get("Location")
	a, ok := p.get(ctx, d, "SMS: review", review)
	if !ok {
		return
	}
	_, seen, _ := strings.Cut(a.body, `name="sett" value="`)
	seen, _, _ = strings.Cut(seen, `"`)
	if sent, ok := p.post(ctx, d, "SMS: send", strings.TrimSuffix(review, "/kontroll")+"/send", "sett", seen); ok {
		p.get(ctx, d, "item", sent.Header.Get("Location"))
	}
}

// shipment makes a draft, uploads a PDF into it and discards it.
func (p *person) shipment(ctx context.Context, d *ledger) {
	draft, ok := p.post(ctx, d, "shipment: begin", accountPath("/forsendelser/ny"), "nokkel", uuid.NewString())
	if !ok {
		return
	}
	at := draft.Header.Get("Location")
	if _, ok = p.get(ctx, d, "shipment: form", at); !ok {
		return
	}
	if p.upload(ctx, d, "shipment: upload", at) {
		p.get(ctx, d, "shipment: form", at)
	}
	p.post(ctx, d, "shipment: discard", at+"/forkast")
}

// shipmentPDF is the file that all upload.
var shipmentPDF = pdftest.Make(2)

func (p *person) upload(ctx context.Context, d *ledger, kind, draft string) bool {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("fil", "brev.pdf")
	if err == nil {
		_, err = part.Write(shipmentPDF)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		d.enter(kind, 0, err)
		return false
	}
	a, ok := p.ask(ctx, d, kind, http.MethodPost, draft+"/dokumenter", form{&b, w.FormDataContentType(), int64(b.Len())})
	return ok && a.StatusCode == http.StatusOK
}
