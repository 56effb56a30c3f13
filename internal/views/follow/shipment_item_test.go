package follow

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
)

const shipmentSum = "9f2c4a1bd0c7e55a3e1f9f2c4a1bd0c7e55a3e1f9f2c4a1bd0c7e55a3ee81b07"

// shipmentPage is the page of a shipment that waits for a signature, changed.
func shipmentPage(change func(*ShipmentPage)) ShipmentPage {
	account := dispatch.Account{ID: "a", Slug: "oppvekst", Name: "Oppvekst", ShipmentIntegration: "i"}
	p := ShipmentPage{
		Page: views.Page{
			Title: "Samarbeidsavtale", Assets: &static.Assets{}, Now: lookNow, Account: account,
			User: dispatch.User{ID: "kari", Grants: []dispatch.Grant{{Account: account, Role: dispatch.RoleCaseworker}}},
		},
		Around: Around{Reach: dispatch.ReachOpen},
		Item: dispatch.ShipmentItem{
			Item: ofShipment(status(dispatch.StatusNotified)), SigningStatus: dispatch.SigningWaiting, Read: map[dispatch.Source]dispatch.Reading{},
			Shipment: dispatch.Shipment{
				SignBy: lookNow.Add(14 * 24 * time.Hour), SignatureType: dispatch.SignatureAuthenticated,
				Recipient: dispatch.Address{Postal: dispatch.PostalAddress{Name: "Jonas Vik"}, Digital: dispatch.DigitalAddress{NationalID: "12047800155"}},
				Documents: []dispatch.Document{{FileName: "Avtale.pdf", MimeType: dispatch.MimePDF, Size: 274_000, SHA256: shipmentSum, Pages: 4, Sign: true}},
			},
		},
	}
	change(&p)
	return p
}

// shownShipment is the live part of a shipment's page.
func shownShipment(t *testing.T, p ShipmentPage) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := ShipmentLive(p).Render(i18ntest.InNorwegian(t), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestShipmentHistory: three sources in one list, newest first, each line with where it comes from.
func TestShipmentHistory(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	page := shipmentPage(func(p *ShipmentPage) {
		p.Item.Events = []dispatch.ServiceEvent{{At: lookNow.Add(-time.Minute), Text: "Lest av ••••••••••• via portalen"}, {At: lookNow.Add(-3 * time.Minute), Text: "Metadata er validert OK"}}
		p.Item.SigningEvents = []dispatch.ServiceEvent{
			{At: lookNow.Add(-90 * time.Second), Text: "Oppdraget er registrert.", Status: dispatch.SigningWaiting},
			{At: lookNow.Add(-100 * time.Second), Text: "Uten status"},
		}
		p.Events = []dispatch.Event{
			{At: lookNow.Add(-2 * time.Minute), Kind: dispatch.EventSigning, Detail: "VENTER_SIGNERING"},
			{At: lookNow.Add(-3 * time.Minute), Kind: dispatch.EventStatus, Detail: "AKSEPTERT"},
			{At: lookNow.Add(-4 * time.Minute), Kind: dispatch.EventLookedUp, Detail: "accepted"},
			{At: lookNow.Add(-5 * time.Minute), Kind: dispatch.EventLookedUp, Detail: "unavailable"},
			{At: lookNow.Add(-6 * time.Minute), Kind: dispatch.EventOutcome, Detail: "uncertain", Reason: dispatch.Reason{Key: "reason.early_error"}},
			{At: lookNow.Add(-7 * time.Minute), Kind: dispatch.EventQueued, Actor: "Kari Nordmann"},
		}
	})
	brief := func(lines []line) []string {
		var texts []string
		for _, l := range lines {
			texts = append(texts, strings.TrimSuffix(l.Word+" | "+l.Text, " | ")+" ("+l.Source+")")
		}
		return texts
	}
	own := []string{
		"Lest av ••••••••••• via portalen (Fra tjenesten)",
		"Metadata er validert OK (Fra tjenesten)",
		"Akseptert (Status som vi hentet)",
		"Vi fant den hos tjenesten (Vår logg)",
		"Tjenesten har den ikke (Vår logg)",
		"Uavklart om den ble sendt | Tjenesten svarte med en feil før forsendelsen var overført. (Vår logg)",
		"Lagt i kø for sending (Vår logg, Kari Nordmann)",
	}
	signing := []string{"Venter på signering | Oppdraget er registrert. (Fra tjenesten)", "Uten status (Fra tjenesten)"}

	t.Run("merges the service's history with ours", func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff(own, brief(page.history(ctx))); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("knows the service's words on a page in another language", func(t *testing.T) {
		t.Parallel()
		read := shipmentPage(func(p *ShipmentPage) {
			p.Item.Events = []dispatch.ServiceEvent{{At: lookNow.Add(-time.Minute), Text: "Lest av ••••••••••• via portalen"}}
			p.Events = []dispatch.Event{{At: lookNow, Kind: dispatch.EventStatus, Detail: string(dispatch.StatusRead)}}
			p.Bokmal = i18ntest.Languages(t).In("nb")
		})
		for _, lang := range []string{"nb", "nn", "en"} {
			if lines := read.history(i18n.With(t.Context(), i18ntest.Languages(t).In(lang))); len(lines) != 1 || lines[0].Text != "Lest av ••••••••••• via portalen" {
				t.Errorf("%s: got %+v, want one line", lang, lines)
			}
		}
	})
	t.Run("keeps the signing beside it", func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff(signing, brief(page.signingHistory(ctx))); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("puts all into one timeline when that is asked for", func(t *testing.T) {
		t.Parallel()
		joined := page
		joined.Joined = true
		want := append([]string{own[0], signing[0], signing[1]}, own[1:]...)
		if diff := cmp.Diff(want, brief(joined.history(ctx))); diff != "" {
			t.Error(diff)
		}
		if got := shownShipment(t, joined).Find("#signering").Length(); got != 0 {
			t.Error("the signing still has a panel of its own")
		}
	})
	t.Run("never reads the service's words as a status", func(t *testing.T) {
		t.Parallel()
		if got := serviceLines(ctx, []dispatch.ServiceEvent{{Text: "AVVIST"}})[0].Look; got.Color != "neutral" || got.Word != "AVVIST" {
			t.Errorf("got %+v", got)
		}
	})
}

// TestStaleSource: what could not be read says so, and since when; the rest still shows.
func TestStaleSource(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	failed := dispatch.Reason{Key: "reason.busy", At: lookNow.Add(-time.Minute)}
	tests := []struct {
		name string
		read dispatch.Reading
		want string
	}{
		{"read", dispatch.Reading{At: lookNow}, ""},
		{"not read yet", dispatch.Reading{}, ""},
		{"failed after it was read", dispatch.Reading{At: lookNow.Add(-time.Hour), Failed: failed},
			"Historikken fra tjenesten kunne ikke hentes i dag kl. 10.40. Tjenesten har for mye å gjøre eller er nede. Det du ser, er fra i dag kl. 09.41."},
		{"never read", dispatch.Reading{Failed: failed},
			"Historikken fra tjenesten kunne ikke hentes i dag kl. 10.40. Tjenesten har for mye å gjøre eller er nede. Ingenting er hentet ennå."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := shipmentPage(func(p *ShipmentPage) { p.Item.Read[dispatch.SourceHistory] = test.read })
			if got := staleSource(ctx, p.Item, dispatch.SourceHistory, lookNow); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := shownShipment(t, p).Find(".notice").Length(); got != 0 && test.want == "" || got == 0 && test.want != "" {
				t.Errorf("got %d notices", got)
			}
		})
	}
}

// TestAgreement: what the service's checksum says about our file.
func TestAgreement(t *testing.T) {
	t.Parallel()
	told := func(sum string) func(*ShipmentPage) {
		return func(p *ShipmentPage) {
			p.Item.Files = []dispatch.ServiceDocument{{FileName: "AVTALE.PDF", SHA256: sum}}
		}
	}
	tests := []struct {
		name   string
		change func(*ShipmentPage)
		want   agreement
	}{
		{"says nothing before the service has the shipment", func(p *ShipmentPage) { p.Item.UpstreamID = "" }, agreementNone},
		{"waits for the service to tell", func(*ShipmentPage) {}, agreementUntold},
		{"waits for the checksum of a file that is told of", told(""), agreementUntold},
		{"compares whatever the case of the name and the sum", told(strings.ToUpper(shipmentSum)), agreementSame},
		{"sees another file", told(strings.Repeat("0", 64)), agreementDiffers},
		{"does not compare with an encrypted file", func(p *ShipmentPage) {
			told(strings.Repeat("0", 64))(p)
			p.Item.Encrypted = true
		}, agreementEncrypted},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := shipmentPage(test.change).files()[0].Agreement; got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	t.Run("shows a file that only the service knows", func(t *testing.T) {
		t.Parallel()
		p := shipmentPage(func(p *ShipmentPage) { p.Item.Files = []dispatch.ServiceDocument{{FileName: "Forside.pdf"}} })
		if got := shownShipment(t, p).Find("table").Text(); !strings.Contains(got, "Forside.pdf") || !strings.Contains(got, "Vi har ikke sendt denne filen") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("shows what else the service tells of a file", func(t *testing.T) {
		t.Parallel()
		p := shipmentPage(func(p *ShipmentPage) {
			p.Item.Files = []dispatch.ServiceDocument{{FileName: "Avtale.pdf", Type: "Avtalebrev", MimeType: "application/pdf", Signable: true, Sensitive: true}}
		})
		got := shownShipment(t, p).Find("table details").Text()
		for _, want := range []string{"4 opplysninger fra tjenesten", "Avtalebrev", "application/pdf", "Kan signeres", "Personsensitivt"} {
			if !strings.Contains(got, want) {
				t.Errorf("got %q, want %q in it", got, want)
			}
		}
	})
}

// TestServiceLinks: they lead out plainly, and only where a browser should go.
func TestServiceLinks(t *testing.T) {
	t.Parallel()
	p := shipmentPage(func(p *ShipmentPage) {
		p.Item.Files = []dispatch.ServiceDocument{{FileName: "Avtale.pdf", DownloadURL: "https://svarut.example/1", SigningURL: "javascript:alert(1)"}}
	})
	links := shownShipment(t, p).Find(".links a")
	if got := links.First(); got.AttrOr("href", "") != "https://svarut.example/1" || got.AttrOr("rel", "") != "noreferrer noopener external" {
		t.Errorf("got %v", got.Nodes[0].Attr)
	}
	if got := links.Last().AttrOr("href", ""); strings.HasPrefix(got, "javascript") {
		t.Errorf("got %q", got)
	}
	if _, has := links.Attr("target"); has {
		t.Error("a link opens another window")
	}
}

// TestShipmentLife: how long the page keeps asking, and what it announces.
func TestShipmentLife(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, after string
		change      func(*ShipmentPage)
	}{
		{"asks for a fresh shipment often", "3", func(*ShipmentPage) {}},
		{"asks slowly for a signature alone", "60", func(p *ShipmentPage) { p.Item.Status = dispatch.StatusRead }},
		{"stops when the signing has ended too", "", func(p *ShipmentPage) { p.Item.Status, p.Item.SigningStatus = dispatch.StatusRead, dispatch.SigningDone }},
		{"stops at the end of a shipment without signing", "", func(p *ShipmentPage) {
			p.Item.Status, p.Item.SigningStatus, p.Item.Documents[0].Sign = dispatch.StatusRead, "", false
		}},
		{"stops when it was cancelled before it went", "", func(p *ShipmentPage) { p.Item.State = dispatch.StateCancelled }},
		{"stops while the whole number is shown", "", func(p *ShipmentPage) { p.Opened.Numbers = true }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := shownShipment(t, shipmentPage(test.change)).Find("#forsendelse").AttrOr("data-live-etter", ""); got != test.after {
				t.Errorf("got %q, want %q", got, test.after)
			}
		})
	}
	t.Run("announces both statuses", func(t *testing.T) {
		t.Parallel()
		if got, want := shipmentPage(func(*ShipmentPage) {}).news(i18ntest.InNorwegian(t)), "Varslet. Venter på signering"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestDeadlineOfSigning: only a signing that can still happen has a deadline.
func TestDeadlineOfSigning(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*ShipmentPage)
		want   bool
	}{
		"awaited":      {func(p *ShipmentPage) { p.Item.SigningStatus = "" }, true},
		"signed":       {func(p *ShipmentPage) { p.Item.SigningStatus = dispatch.SigningDone }, false},
		"never sent":   {func(p *ShipmentPage) { p.Item.State, p.Item.SigningStatus = dispatch.StateRejected, "" }, false},
		"of its queue": {func(p *ShipmentPage) { p.Item.State, p.Item.SigningStatus = dispatch.StateQueued, "" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := shownShipment(t, shipmentPage(func(p *ShipmentPage) {
				p.Item.SignBy = p.Now.AddDate(0, 0, 12)
				test.change(p)
			}))
			if got := strings.Contains(page.Find("section[aria-labelledby=signering] .panel-head").Text(), "Signeres innen"); got != test.want {
				t.Errorf("the deadline is told: %t", got)
			}
		})
	}
}

// TestShipmentActions: what can be done in which state, and by whom.
func TestShipmentActions(t *testing.T) {
	t.Parallel()
	uncertain := func(p *ShipmentPage) {
		p.Item.State, p.Item.UpstreamID, p.Item.Status = dispatch.StateUncertain, "", ""
	}
	queued := func(p *ShipmentPage) { p.Item.State, p.Item.UpstreamID, p.Item.Status = dispatch.StateQueued, "", "" }
	tests := []struct {
		name   string
		change func(*ShipmentPage)
		want   string // the ends of the addresses that forms post to
	}{
		{"a copy when it is on its way", func(*ShipmentPage) {}, "kopier arkivpakke kontroller vis"},
		{"no copy of somebody else's", func(p *ShipmentPage) { p.Reach = dispatch.ReachNone }, "kontroller"},
		{"stop it in the queue", queued, "avbryt arkivpakke vis"},
		{"confirm it after a day", func(p *ShipmentPage) { queued(p); p.Item.DueSince = lookNow.Add(-25 * time.Hour) }, "bekreft avbryt arkivpakke vis"},
		{"send again what we gave up", func(p *ShipmentPage) { p.Item.State = dispatch.StateFailed }, "send-igjen kopier arkivpakke vis"},
		{"the wish to stop it while it is looked for", func(p *ShipmentPage) { uncertain(p); p.Item.RecoverAt = lookNow.Add(time.Minute) }, "avbryt arkivpakke vis"},
		{"no second wish", func(p *ShipmentPage) {
			uncertain(p)
			p.Item.RecoverAt, p.Item.StopAskedAt = lookNow.Add(time.Minute), lookNow
		}, "arkivpakke vis"},
		{"decide when nobody looks any more", uncertain, "let-igjen arkivpakke avgjor vis"},
		{"no number of others", func(p *ShipmentPage) { uncertain(p); p.Reach = dispatch.ReachNone }, "let-igjen avgjor"},
		{"nothing for an auditor", func(p *ShipmentPage) {
			uncertain(p)
			p.Reach, p.User.Grants[0].Role = dispatch.ReachNone, dispatch.RoleAuditor
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			shownShipment(t, shipmentPage(test.change)).Find("form:has(button)").Each(func(_ int, f *goquery.Selection) {
				action := f.AttrOr("action", "")
				got = append(got, action[strings.LastIndex(action, "/")+1:])
			})
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), test.want)
			}
		})
	}
	t.Run("spells out that a repeated shipment is a second shipment", func(t *testing.T) {
		t.Parallel()
		if got := shownShipment(t, shipmentPage(uncertain)).Find("#valg").Text(); !strings.Contains(got, "Undersøk gjerne hos tjenesten") || !strings.Contains(got, "et brev til") {
			t.Errorf("got %q", got)
		}
	})
}

// TestShipmentNumber: masked until it is revealed, for people's eyes and for screen readers.
func TestShipmentNumber(t *testing.T) {
	t.Parallel()
	masked := shownShipment(t, shipmentPage(func(*ShipmentPage) {}))
	if got := masked.Find("#nummer").Text(); strings.Contains(got, "00155") || !strings.Contains(got, "120478 •••••") {
		t.Errorf("got %q", got)
	}
	revealed := shownShipment(t, shipmentPage(func(p *ShipmentPage) { p.Opened.Numbers = true }))
	if got := revealed.Find("#nummer").Text(); got != "12047800155" {
		t.Errorf("got %q", got)
	}
}
