package zz

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
	"utsending/static"
)

var now = time.Date(2026, 11, 20, 9, 41, 12, 0, time.UTC)

func ago(d time.Duration) time.Time { return now.Add(-d) }

func id(n int) string { return fmt.Sprintf("0193a0de-3f0e-7a57-9f43-%012d", n) }

var acc = dispatch.Account{ID: "a", Slug: "oppvekst", Name: "Oppvekst og utdanning", SMSAccountID: "x", SMSIntegration: "i", ShipmentIntegration: "j", UndoWindow: 10 * time.Second}

func page(assets *static.Assets, title string, s views.Section) views.Page {
	return views.Page{Title: title, Section: s, User: dispatch.User{ID: "kari", Name: "Kari Nordmann", Grants: []dispatch.Grant{{Account: acc, Role: dispatch.RoleTeamLead}}},
		SignedIn: true, Account: acc, Now: now, Assets: assets, Municipality: "Fjordvik kommune", Version: "0.1", Test: true, Scheme: "auto"}
}

const sum = "9f2c4a1bd0c7e55a3e1f9f2c4a1bd0c7e55a3e1f9f2c4a1bd0c7e55a3ee81b07"

func shipment() dispatch.ShipmentItem {
	return dispatch.ShipmentItem{
		Item: dispatch.Item{ID: dispatch.ItemID(id(1)), AccountID: "a", Kind: dispatch.KindShipment, State: dispatch.StateAccepted, CreatedAt: ago(49 * time.Hour), CreatedBy: "kari",
			Creator: "Kari Nordmann", UpstreamID: "5b0e2c1a-7d44-4f0e-9a53-0c6d8f21be90", AcceptedAt: ago(48 * time.Hour), Status: dispatch.StatusNotified, StatusAt: ago(47 * time.Hour),
			CheckedAt: ago(time.Minute), NextCheck: now.Add(6 * time.Hour)},
		Shipment: dispatch.Shipment{
			Title: "Samarbeidsavtale om skolehelsetjeneste", SourceSystem: "Utsending", BillingCode: "OPPV-2104", ExternalReference: "2026/0911-3", Type: "Avtale",
			Print: dispatch.PrintOptions{Duplex: true}, SignBy: now.Add(14 * 24 * time.Hour), SignatureType: dispatch.SignatureAuthenticated,
			Recipient: dispatch.Address{Postal: dispatch.PostalAddress{Name: "Jonas Vik", Line1: "Furuveien 8", PostalCode: "7715", City: "Steinkjer", Country: "Norge"}, Digital: dispatch.DigitalAddress{NationalID: "12047800155"}},
			ReplyTo:   &dispatch.Address{Postal: dispatch.PostalAddress{Name: "Fjordvik kommune", Line1: "Rådhuset", PostalCode: "7715", City: "Steinkjer"}},
			Documents: []dispatch.Document{
				{ID: "d1", FileName: "Samarbeidsavtale.pdf", MimeType: dispatch.MimePDF, Size: 274_000, SHA256: sum, Pages: 4, Sign: true, Sensitive: true},
				{ID: "d2", FileName: "Vedlegg – timeplan for uken med et svært langt navn som må brytes et sted og_her_uten_mellomrom_i_det_hele_tatt_faktisk.pdf", MimeType: dispatch.MimePDF, Size: 44_000, SHA256: strings.Repeat("ab", 32), Pages: 3, GiroPages: []int{3}, ExcludeFromPrint: true, Extra: []dispatch.Entry{{Key: "arkiv", Value: "12"}}},
			},
		},
		SigningStatus: dispatch.SigningWaiting, SigningAt: ago(47 * time.Hour),
		Events: []dispatch.ServiceEvent{
			{At: ago(47 * time.Hour), Text: "Varsel sendt til Altinn med lesefrist 22.11.2026 kl. 15.00"}, {At: ago(48 * time.Hour), Text: "Metadata er validert OK"}, {At: ago(48*time.Hour + 2*time.Second), Text: "Mottatt, og tildelt forsendelse-id"},
		},
		SigningEvents: []dispatch.ServiceEvent{{At: ago(40 * time.Hour), Text: "Mottakeren har startet signeringsoppdraget.", Status: dispatch.SigningWaiting}, {At: ago(47 * time.Hour), Text: "Signeringsoppdrag registrert", Status: dispatch.SigningWaiting}},
		Files: []dispatch.ServiceDocument{
			{FileName: "samarbeidsavtale.pdf", SHA256: strings.ToUpper(sum), DownloadURL: "https://svarut.example/d/1", SigningURL: "https://svarut.example/s/1", Extra: []dispatch.Entry{{Key: "format", Value: "PDF/A"}}},
			{FileName: "Vedlegg – timeplan for uken med et svært langt navn som må brytes et sted og_her_uten_mellomrom_i_det_hele_tatt_faktisk.pdf", SHA256: strings.Repeat("00", 32), DownloadURL: "https://svarut.example/d/2"},
			{FileName: "Forside.pdf", Size: 12_000},
		},
		Read: map[dispatch.Source]dispatch.Reading{dispatch.SourceHistory: {At: ago(time.Hour), Failed: dispatch.Reason{Key: "reason.busy", ErrorID: id(9), At: ago(time.Minute)}}},
	}
}

func own() []dispatch.Event {
	return []dispatch.Event{
		{At: ago(47 * time.Hour), Kind: dispatch.EventStatus, Detail: "VARSLET"}, {At: ago(47*time.Hour + 50*time.Minute), Kind: dispatch.EventStatus, Detail: "AKSEPTERT"},
		{At: ago(47*time.Hour + 58*time.Minute), Kind: dispatch.EventStatus, Detail: "MOTTATT"}, {At: ago(48 * time.Hour), Kind: dispatch.EventOutcome, Detail: "accepted"},
		{At: ago(48*time.Hour + 10*time.Second), Kind: dispatch.EventQueued, Actor: "Kari Nordmann"}, {At: ago(49 * time.Hour), Kind: dispatch.EventCreated, Actor: "Kari Nordmann"},
	}
}

type site struct {
	mu    sync.Mutex
	docs  []dispatch.Document
	posts []string
	t     *testing.T
	fail  bool
}

func (s *site) formPage(assets *static.Assets) views.ShipmentFormPage {
	p := views.ShipmentFormPage{Page: page(assets, "Ny forsendelse", views.SectionDrafts), ID: dispatch.ItemID(id(1)), Version: 1, Form: views.NewShipmentForm(acc), Documents: s.docs}
	p.Form.Documents = map[dispatch.DocumentID]views.DocumentForm{}
	return p
}

func newSite(t *testing.T) (*httptest.Server, *site) {
	assets, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	words, err := i18n.Load("nb")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t}
	for i := range 2 {
		s.docs = append(s.docs, dispatch.Document{ID: dispatch.DocumentID(fmt.Sprintf("d%d", i)), FileName: []string{"Vedtak 2026-1482.pdf", "Faktura november.pdf"}[i], MimeType: dispatch.MimePDF, Size: 29_000, Pages: 3})
	}
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		if err := c.Render(i18n.With(r.Context(), words), w); err != nil {
			t.Error(err)
		}
	}
	mux.Handle("/static/", assets.Handler())
	mux.HandleFunc("GET /item/{what}", func(w http.ResponseWriter, r *http.Request) {
		p := views.ShipmentPage{Page: page(assets, "", views.SectionShipments), Item: shipment(), Events: own(), Own: true}
		p.Joined = r.URL.Query().Get("tidslinje") != ""
		p.Title = p.Item.Title
		switch r.PathValue("what") {
		case "printed":
			p.Item.Status, p.Item.SigningStatus, p.Item.StatusAt = dispatch.StatusPrinted, dispatch.SigningExpired, ago(time.Hour)
			p.Events = append([]dispatch.Event{{At: ago(time.Hour), Kind: dispatch.EventStatus, Detail: "PRINTET"}, {At: ago(2 * time.Hour), Kind: dispatch.EventStatus, Detail: "SENDT_PRINT"}}, p.Events...)
		case "rejected":
			p.Item.Status, p.Item.SigningStatus = dispatch.StatusDismissed, dispatch.SigningRefusedByService
			p.Events = append([]dispatch.Event{{At: ago(time.Hour), Kind: dispatch.EventStatus, Detail: "AVVIST"}}, p.Events...)
		case "manual":
			p.Item.Status = dispatch.StatusHandledManually
		case "uncertain":
			p.Item.State, p.Item.UpstreamID, p.Item.Status, p.Item.SigningStatus, p.Item.Files, p.Item.Events, p.Item.SigningEvents = dispatch.StateUncertain, "", "", "", nil, nil, nil
			p.Item.Reason = dispatch.Reason{Key: "reason.timeout", ErrorID: id(3)}
			p.Item.RecoverAt = now.Add(16 * time.Minute)
			p.Events = p.Events[4:]
		case "decide":
			p.Item.State, p.Item.UpstreamID, p.Item.Status, p.Item.SigningStatus, p.Item.Files = dispatch.StateUncertain, "", "", "", nil
			p.Item.Documents = p.Item.Documents[1:]
			p.Item.Reason = dispatch.Reason{Key: "reason.timeout"}
			p.Problems = dispatch.Problems{{Field: "valg", Key: "problem.decision.empty"}}
		case "queued":
			p.Item.State, p.Item.UpstreamID, p.Item.Status, p.Item.SigningStatus, p.Item.Files = dispatch.StateQueued, "", "", "", nil
			p.Item.DueAt, p.Item.DueSince = ago(25*time.Hour), ago(25*time.Hour)
		}
		show(w, r, 200, views.ShipmentShow(p))
	})
	mux.HandleFunc("GET /list", func(w http.ResponseWriter, r *http.Request) {
		p := views.ShipmentListPage{Page: page(assets, "Forsendelser", views.SectionShipments), Older: "/list?x"}
		for i, st := range []dispatch.Status{"MOTTATT", "AKSEPTERT", "VARSLET", "SENDT_PRINT", "LEVERT_SDP", "AVVIST", "IKKE_LEVERT", "MANUELT_HANDTERT", "SENDT_NHN_MOTTAKER", "NY_STATUS"} {
			it := shipment().Item
			it.Status, it.CreatedAt = st, ago(time.Duration(i)*5*time.Hour)
			p.Items = append(p.Items, dispatch.ShipmentRow{Item: it, Title: "Vedtak om redusert foreldrebetaling", RecipientName: "Nora Dahl", ExternalReference: "2026/1482-7", DigitalOnly: i == 6})
		}
		if r.URL.Query().Get("tom") != "" {
			p.Items = nil
		}
		show(w, r, 200, views.ShipmentList(p))
	})
	mux.HandleFunc("GET /draft", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		show(w, r, 200, views.ShipmentNew(s.formPage(assets)))
	})
	mux.HandleFunc("POST /k/oppvekst/utkast/{id}/dokumenter", func(w http.ResponseWriter, r *http.Request) {
		f, h, err := r.FormFile("fil")
		if err != nil {
			t.Error(err)
			return
		}
		data, _ := io.ReadAll(f)
		if got := r.Header.Get("Accept"); got != "text/html; fragment=dokument" {
			t.Errorf("accept %q", got)
		}
		if strings.Contains(h.Filename, "slow") {
			time.Sleep(1500 * time.Millisecond)
		}
		if strings.Contains(h.Filename, "hang") {
			<-r.Context().Done()
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if strings.Contains(h.Filename, "bad") {
			show(w, r, 422, views.UploadProblem(dispatch.Problems{{Field: "fil", Key: "problem.file.duplicate", Args: dispatch.Args{"Name": h.Filename}}}))
			return
		}
		if strings.Contains(h.Filename, "500") {
			w.WriteHeader(500)
			return
		}
		d := dispatch.Document{ID: dispatch.DocumentID("n-" + h.Filename), FileName: h.Filename, MimeType: dispatch.MimePDF, Size: int64(len(data)), Pages: 1}
		if strings.Contains(h.Filename, "slow") { // began first
			s.docs = append(s.docs[:2], append([]dispatch.Document{d}, s.docs[2:]...)...)
		} else {
			s.docs = append(s.docs, d)
		}
		for i, x := range s.docs {
			if x.ID == d.ID {
				show(w, r, 200, views.DocumentItem(s.formPage(assets), d, i))
			}
		}
	})
	mux.HandleFunc("POST /k/oppvekst/utkast/{id}/rekkefolge", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.mu.Lock()
		defer s.mu.Unlock()
		b, _ := json.Marshal(r.PostForm["dokument"])
		s.posts = append(s.posts, string(b))
		if s.fail {
			w.WriteHeader(500)
			return
		}
		w.WriteHeader(204)
	})
	mux.HandleFunc("POST /k/oppvekst/utkast/{id}/dokumenter/{d}/{way}", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.posts = append(s.posts, r.PathValue("d")+" "+r.PathValue("way")+" "+r.PostForm.Get("tittel"))
		http.Redirect(w, r, "/draft", 303)
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv, s
}

func TestPictures(t *testing.T) {
	srv, _ := newSite(t)
	b := browsertest.Start(t)
	for _, o := range []struct {
		name string
		o    browsertest.PageOptions
	}{
		{"1440", browsertest.PageOptions{}}, {"390", browsertest.PageOptions{Mobile: true}}, {"1440-dark", browsertest.PageOptions{Dark: true}}, {"390-dark", browsertest.PageOptions{Mobile: true, Dark: true}},
		{"320", browsertest.PageOptions{Width: 320, Height: 640}}, {"900", browsertest.PageOptions{Width: 900}},
	} {
		p := b.Page(t, o.o)
		for _, path := range []string{"item/notified", "item/notified?tidslinje=samlet", "item/printed", "item/rejected", "item/manual", "item/uncertain", "item/decide", "item/queued", "list", "list?tom=1", "draft"} {
			p.Go(srv.URL + "/" + path)
			name := strings.NewReplacer("/", "-", "?", "-", "=", "-").Replace(path)
			p.Screenshot("/tmp/shots/" + name + "-" + o.name + ".png")
			if p.Overflows() {
				t.Errorf("%s at %s overflows", path, o.name)
			}
			if o.name == "1440" || o.name == "390-dark" {
				for _, v := range p.Axe() {
					t.Errorf("%s at %s: %s", path, o.name, v)
				}
			}
		}
		for _, e := range p.ConsoleErrors() {
			t.Error(e)
		}
	}
}
