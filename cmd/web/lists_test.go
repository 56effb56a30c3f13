package main_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"
	"github.com/xuri/excelize/v2"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/seeds"
	"utsending/internal/store/storetest"
)

// TestLists runs the journeys of lists.
func TestLists(t *testing.T) {
	walk(t, []journey{
		{"a caseworker finds a shipment by a name and a date", findsByName(browsertest.PageOptions{})},
		{"a caseworker finds a shipment by a name and a date without JavaScript", findsByName(withoutScript)},
		{"a caseworker stops all that wait", stopsAll(browsertest.PageOptions{})},
		{"a team lead shares out what failed", sharesOut(browsertest.PageOptions{})},
		{"a team lead shares out what failed without JavaScript", sharesOut(withoutScript)},
		{"a list keeps itself fresh", keepsFresh},
		{"a caseworker sorts a list and chooses its columns", sortsAndChooses(browsertest.PageOptions{})},
		{"a caseworker sorts a list and chooses its columns without JavaScript", sortsAndChooses(withoutScript)},
		{"a caseworker works a list with keys, and turns them off", worksWithKeys},
		{"a caseworker takes a list along as a workbook", takesAlong(browsertest.PageOptions{})},
		{"a caseworker takes a list along without JavaScript", takesAlong(withoutScript)},
		{"a caseworker stops all that wait without JavaScript", stopsAll(withoutScript)},
	})
}

// sentBefore puts shipments to a name into an account, one for each day, among some hundred other items.
func (s *stack) sentBefore(t *testing.T, name string, days ...string) {
	t.Helper()
	by, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: "kari", Name: "Kari Nordmann"})
	if err != nil {
		t.Fatal(err)
	}
	if err := items.In(s.store).Filler.Fill(t.Context(), s.oppvekst.ID, seeds.Items(300, []dispatch.UserID{by}, time.Now())); err != nil {
		t.Fatal(err)
	}
	left := days
	err = items.In(s.store).Filler.Fill(t.Context(), s.oppvekst.ID, func() (items.Filled, bool) {
		if len(left) == 0 {
			return items.Filled{}, false
		}
		at, _ := dispatch.ParseDay(left[0])
		h := &dispatch.Shipment{Title: "Vedtak av " + left[0], SourceSystem: "Utsending"}
		h.Recipient.Postal.Name = name
		left = left[1:]
		return items.Filled{At: at.Add(10 * time.Hour), By: by, Shipment: h, State: dispatch.StateAccepted, Status: dispatch.StatusRead}, true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// findsByName: two words of a name in the wrong order find the shipments to it, and a date finds the one.
func findsByName(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		last := strings.ToLower(named(mark()))
		s.sentBefore(t, "Åse-Marie "+strings.ToUpper(last[:1])+last[1:], "02.03.2026", "01.05.2026")
		v := s.as(t, b, o, "kari")
		v.Go("/k/oppvekst/utsendinger")
		v.wantText(".listbar", "Viser 50 utsendinger")
		v.glance("list-all-" + v.mode())
		v.ClickText("a", "Eldre")
		v.ClickText("a", "Nyere")
		v.Fill("#q", named(last[:6])+" åse")
		v.ClickText("button", "Vis treff")
		v.wantHeading("Treff på søket")
		v.wantText(".listbar", "Viser 2 utsendinger")
		v.glance("list-found-" + v.mode())
		if !v.scripts { // folded where there is no style sheet
			v.unfold("#fra")
		}
		v.Fill("#fra", "1.3.2026")
		v.Fill("#til", "05.03.2026")
		v.ClickText("button", "Vis treff")
		v.wantText(".listbar", "Viser 1 utsending")
		v.wantText(`[aria-label="Valgte filtre"]`, "Fra 01.03.2026")
		v.glance("list-narrowed-" + v.mode())
		v.ClickText("a", "Vedtak av 02.03.2026")
		v.wantHeading("Vedtak av 02.03.2026")
		v.Go("/k/oppvekst/utsendinger?fra=tull")
		v.wantText(".ds-error-summary", "Du må rette én feil først")
		v.glance("list-days-" + v.mode())
	}
}

// worksWithKeys: keys move in the list, tick rows and lead to the search, but not while the user types, nor when they are turned
// off.
func worksWithKeys(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	s.sentBefore(t, "Ola Nordmann")
	v.Go("/k/oppvekst/utsendinger")
	holds := func(after, selector string) {
		t.Helper()
		if v.Count(selector) != 1 {
			t.Errorf("after %s: %s is not there", after, selector)
		}
	}
	v.Press("j")
	holds("j", "tbody tr:first-child .main-link:focus")
	v.Press("j")
	holds("j twice", "tbody tr:nth-child(2) .main-link:focus")
	v.Press("x")
	holds("x", "tbody tr:nth-child(2) [name=utsending]:checked")
	v.Press("k")
	holds("k", "tbody tr:first-child .main-link:focus")
	v.Press("?")
	holds("?", "[data-taster]:popover-open")
	v.Press("Escape")
	v.Press("/")
	holds("/", "[data-sok]:focus")
	v.Press("j")
	if typed := v.Value("[data-sok]"); !strings.HasSuffix(typed, "j") { // the driver also types the character of the key before
		t.Errorf("while typing: %q", typed)
	}
	holds("j while typing", "[data-sok]:focus")
	v.Go("/min-side/visning")
	v.Uncheck("#taster")
	v.Submit("main form")
	v.Go("/k/oppvekst/utsendinger")
	v.Press("j")
	if v.Count(".main-link:focus") != 0 || v.Count("[data-taster], [aria-keyshortcuts]") != 0 {
		t.Error("the keys work although they are turned off")
	}
}

// sortsAndChooses: the head of a column sorts the list, the columns are chosen above it, and both hold on the next page.
func sortsAndChooses(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		s.sentBefore(t, "Ola Nordmann", "02.03.2026")
		v := s.as(t, b, o, "kari")
		v.Go("/k/oppvekst/forsendelser")
		v.ClickText("thead a", "Tittel")
		v.wantText("th[aria-sort=ascending]", "Tittel")
		v.glance("list-sorted-" + v.mode())
		if !v.scripts { // folded where there is no style sheet
			v.unfold("#kolonne-kanal")
		} else {
			v.ClickText("summary", "Tilpass listen")
		}
		v.Uncheck("#kolonne-kanal")
		v.Check("#kompakt-true")
		v.ClickText("button", "Lagre kolonnene")
		v.wantText("[role=status]", "Kolonnene er lagret")
		v.wantText("th[aria-sort=ascending]", "Tittel")
		v.wantNone("th:nth-of-type(6)")
		v.ClickText("a", "Neste")
		v.wantText("th[aria-sort=ascending]", "Tittel")
		v.wantNone("th:nth-of-type(6)")
		v.glance("list-tight-" + v.mode())
	}
}

// stopsAll: a confirmation page lists the items to stop before they are stopped.
func stopsAll(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		v := s.as(t, b, o, "kari")
		for range 3 {
			by, err := s.store.SaveLogin(t.Context(), store.Login{Issuer: s.issuer, Subject: "kari", Name: "Kari Nordmann"})
			if err != nil {
				t.Fatal(err)
			}
			actor := store.Actor{User: by, Origin: "127.0.0.1"}
			m := dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: "90000123"}, Text: "Hei", Timing: dispatch.Timing{SendAt: time.Now().Add(48 * time.Hour)}}
			id, err := items.In(s.store).SMS.SaveDraft(t.Context(), s.oppvekst.ID, actor, uuid.NewString(), m)
			if err == nil {
				err = s.queue(t.Context(), s.oppvekst, id, actor)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		v.Go("/k/oppvekst/sms")
		v.ClickText("nav a", "Utkast og planlagt 3")
		v.Check("tbody [name=utsending]")
		if o.JavaScriptOff {
			v.ClickText("summary", "Handlinger")
		}
		v.Check("#omfang-alle")
		v.glance("list-picked-" + v.mode())
		v.ClickText("button", "Stopp")
		v.wantText("#virkning", "Stopp 3 SMS")
		v.glance("list-stop-" + v.mode())
		v.ClickText("main button", "Stopp 3 SMS")
		v.wantBulkDone("/k/oppvekst/sms", "3 utsendinger er stoppet.")
		v.Go("/k/oppvekst/sms?gruppe=stoppet")
		v.wantText(".listbar", "Viser 3 SMS")
	}
}

// sharesOut: a team lead ticks all failed items, assigns them to their senders, and sends them again.
func sharesOut(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{undo: time.Hour})
		s.inState(t, 3, `state = 'failed', reason_key = 'reason.gave_up', reason_at = now()`)
		lead := s.as(t, b, o, "ingrid")
		lead.Go("/k/oppvekst/oppfolging")
		if o.JavaScriptOff {
			lead.Check("[name=utsending]")
			lead.ClickText("summary", "Handlinger")
			lead.Check("#omfang-alle")
		} else {
			lead.Check("[data-velg-alle]")
			lead.wantText(".pick-count", "3 valgt")
		}
		lead.glance("worklist-picked-" + lead.mode())
		lead.ClickText("button", "Sett ansvarlig")
		lead.wantText("#virkning", "Sett ansvarlig for 3 SMS")
		lead.Select("#ansvarlig", "Kari Nordmann")
		lead.glance("worklist-assign-" + lead.mode())
		lead.ClickText("main button", "Sett ansvarlig for 3 SMS")
		lead.wantBulkDone("/k/oppvekst/oppfolging", "Ansvarlig er satt for 3 utsendinger.")
		lead.wantText("tbody", "Kari Nordmann")
		lead.Check("tbody [name=utsending]")
		if o.JavaScriptOff {
			lead.ClickText("summary", "Handlinger")
		}
		lead.ClickText("button", "Send på nytt")
		lead.ClickText("main button", "Send 1 SMS på nytt")
		lead.awaitText("#utvalg-tittel", "Ferdig")
		lead.glance("worklist-again-" + lead.mode())
	}
}

// takesAlong: an export as a workbook has the same rows in the same order.
func takesAlong(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		s.sentBefore(t, "Åse Nordmann", "02.03.2026")
		v := s.as(t, b, o, "kari")
		const list = "/k/oppvekst/utsendinger?gruppe=fremme"
		v.Go(list)
		v.ClickText("a", "Last ned utvalget som fil")
		v.wantHeading("Last ned utvalget")
		v.wantText("main", "Levert eller skrevet ut")
		v.glance("export-ask-" + v.mode())
		v.Check("#format-xlsx")
		v.ClickText("button", "Lag filen")
		v.wantHeading("Fil med utvalget")
		v.awaitText("#eksport", "Klar")
		v.glance("export-ready-" + v.mode())

		c := s.caller(t, "kari")
		want := c.listed(list)
		status, content := c.get(v.Path() + "/fil")
		if status != http.StatusOK {
			t.Fatalf("the file: %d", status)
		}
		if got := workbookColumn(t, content, 1); !slices.Equal(got[1:], want) || len(want) < 200 {
			t.Errorf("the workbook has %d rows that are not the list's %d", len(got)-1, len(want))
		}
		if status, _ := s.caller(t, "ingrid").get(v.Path() + "/fil"); status != http.StatusNotFound {
			t.Errorf("a colleague gets %d", status)
		}
	}
}

// listed is the text of a list's rows, on all its pages.
func (c *caller) listed(path string) (texts []string) {
	c.t.Helper()
	for path != "" {
		_, body := c.get(path)
		page, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			c.t.Fatal(err)
		}
		page.Find("main tbody .main-link").Each(func(_ int, a *goquery.Selection) { texts = append(texts, a.Text()) })
		path = page.Find("a[rel=next]").AttrOr("href", "")
	}
	return texts
}

// workbookColumn is a column of a workbook.
func workbookColumn(t *testing.T, content string, column int) (cells []string) {
	t.Helper()
	book, err := excelize.OpenReader(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows("Resultat")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		cells = append(cells, row[column])
	}
	return cells
}

// keepsFresh: a row, the counts and the number in the menu change while the page is open, and new rows are announced above the
// list.
func keepsFresh(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{undo: time.Hour})
	id := s.send(t, s.oppvekst, "kari", message{phone: phone("120"), text: "Den første"})
	comesTo := func(status string) {
		_, err := storetest.DB(t, s.database).ExecContext(t.Context(), `UPDATE items SET state = 'accepted', accepted_at = now(), status = $2, status_at = now() WHERE id = $1`, id, status)
		if err != nil {
			t.Fatal(err)
		}
	}
	comesTo("SENDT")
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/k/oppvekst/sms")
	v.wantText("#liste", "Den første")
	v.wantText("#liste .live", "Oppdateres automatisk")
	comesTo("LEVERT")
	v.WaitText("#liste tbody", "Levert")
	s.send(t, s.oppvekst, "kari", message{phone: phone("120"), text: "Den andre"})
	v.WaitText("#grupper", "Kommet frem 1")
	if rows := v.Count("#liste tbody tr"); rows != 1 {
		t.Errorf("%d rows: what is new has pushed the others away", rows)
	}
	v.look("list-live")
}
