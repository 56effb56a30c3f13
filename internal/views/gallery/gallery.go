// Package gallery shows every page in every state with sample data, for developers and for tests of how pages look.
package gallery

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/texts"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/static"
)

// Gallery serves a list of exhibits, and each at its own address. It calls nothing and stores nothing: forms and links lead back to
// the list.
type Gallery struct {
	assets    *static.Assets
	languages *i18n.Languages
	words     *i18n.Catalogue
	entries   []exhibit
}

// exhibit is one state of a page.
type exhibit struct {
	path string // address: group and name
	says string // what to look at
	part bool   // a fragment instead of a page
	show func(frame) templ.Component
}

// frame is what exhibits are made with.
type frame struct {
	assets *static.Assets
	words  *i18n.Catalogue
	scheme string
}

// New returns the gallery with all exhibits.
func New() (*Gallery, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	words, err := texts.LoadAll(i18n.Default)
	if err != nil {
		return nil, err
	}
	g := &Gallery{assets: assets, words: words.Default, languages: words}
	g.entries = slices.Concat(
		followUpExhibits(), leadExhibits(), overviewExhibits(), exportExhibits(), listExhibits(), formExhibits(), reviewExhibits(), approvalExhibits(), itemExhibits(), uncertainExhibits(), lookupExhibits(), contactsExhibits(), contactExhibits(), pdfHelpExhibits(),
		templateExhibits(), choiceExhibits(), jobExhibits(), shipmentJobExhibits(), readingExhibits(),
		shipmentListExhibits(), shipmentFormExhibits(), shipmentFieldExhibits(), shipmentReviewExhibits(), shipmentTimeExhibits(), shipmentExhibits(), stopAskedExhibits(), lateExhibits(), wrongExhibits(), fullShipmentExhibits(), receiverExhibits(), referenceExhibits(), readExhibits(), deletionExhibits(), findingExhibits(), cleanedExhibits(),
		deliveryExhibits(), actExhibits(), integrationExhibits(), certificateExhibits(), trialExhibits(), credentialsExhibits(), accountExhibits(), usageExhibits(), reconcileExhibits(), switchExhibits(), rightsExhibits(), accessReviewExhibits(), personExhibits(), archiveExhibits(), generationExhibits(),
		logExhibits(), retentionExhibits(), citizenExhibits(),
		errorExhibits(), ownExhibits(), healthExhibits(), noticeExhibits(), absenceExhibits(), protectedExhibits(), appearanceExhibits(),
	)
	return g, nil
}

// ServeHTTP shows the list, one exhibit, or a file that the pages need. Colours follow the parameter farger, the language sprak.
func (g *Gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "+
		"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	if r.URL.Path == "/static/tema.css" {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write([]byte(sampleTheme.Sheet()))
		return
	}
	if strings.HasPrefix(r.URL.Path, "/static/") {
		g.assets.Handler().ServeHTTP(w, r)
		return
	}
	if strings.Contains(r.URL.Path, "/sider/") { // picture of a page
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(compose.NoPicture(i18n.With(r.Context(), g.words)))
		return
	}
	page, err := g.render(r)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case page == nil && strings.Contains(r.Header.Get("Accept"), "fragment="):
		w.WriteHeader(http.StatusNoContent) // a fragment that would refresh itself
	case page == nil:
		http.Redirect(w, r, "/", http.StatusSeeOther)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the browser has disconnected
	}
}

// render makes the page of the address; nil when there is none.
func (g *Gallery) render(r *http.Request) ([]byte, error) {
	var b bytes.Buffer
	if r.URL.Path == "/" {
		err := galleryList.Execute(&b, struct {
			CSS     string
			Entries []listed
		}{g.assets.Path("app.css"), g.list()})
		return b.Bytes(), err
	}
	for _, e := range g.entries {
		if "/"+e.path == r.URL.Path {
			words := g.languages.In(r.URL.Query().Get("sprak"))
			err := e.show(frame{g.assets, words, schemeOf(r.URL.Query().Get("farger"))}).Render(i18n.With(r.Context(), words), &b)
			return b.Bytes(), err
		}
	}
	return nil, nil
}

func (g *Gallery) frame(scheme string) frame { return frame{g.assets, g.words, schemeOf(scheme)} }

func schemeOf(asked string) string {
	if asked != "light" && asked != "dark" {
		return "auto"
	}
	return asked
}

// listed is one line of the list.
type listed struct{ Path, Says string }

func (g *Gallery) list() []listed {
	lines := make([]listed, len(g.entries))
	for i, e := range g.entries {
		lines[i] = listed{e.path, e.says}
	}
	return lines
}

// The gallery's own words are English: only developers see them.
var galleryList = template.Must(template.New("list").Parse(`<!DOCTYPE html>
<html lang="en" data-color-scheme="auto" data-size="sm">
<head><meta charset="utf-8"><title>View gallery</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{{.CSS}}"></head>
<body><main class="main" id="hoved">
<div class="head"><div class="head-main"><h1>View gallery</h1><p>Every page in every state, with sample data. Forms and links lead back here.</p></div></div>
<section class="panel"><div class="panel-body"><table class="ds-table">
<thead><tr><th scope="col">State</th><th scope="col">Dark</th><th scope="col">What it shows</th></tr></thead>
<tbody>{{range .Entries}}
<tr><td><a class="ds-link" href="/{{.Path}}">{{.Path}}</a></td><td><a class="ds-link" href="/{{.Path}}?farger=dark" aria-label="{{.Path}}, dark">dark</a></td><td>{{.Says}}</td></tr>{{end}}
</tbody></table></div></section>
</main></body></html>
`))

// galleryNow is the current time in every exhibit.
var galleryNow = time.Date(2026, 11, 20, 9, 41, 12, 0, time.UTC)

// text returns a text of the catalogue.
func (f frame) text(key string, values ...any) string { return f.words.Text(key, values...) }

// page is a page outside an account.
func (f frame) page(who dispatch.User, title string) views.Page {
	return views.Page{
		Title: title, User: who, SignedIn: who.ID != "", Now: galleryNow, Assets: f.assets, Municipality: "Fjordvik kommune",
		Version: "0.1", Test: true, Scheme: f.scheme,
	}
}

// onAccount is a page of an account.
func (f frame) onAccount(who dispatch.User, section views.Section, title string) views.Page {
	p := f.page(who, title)
	p.Account, p.Section = sampleAccount(0), section
	return p
}

// Accounts are the accounts of the exhibits. The development data has the same.
var Accounts = []dispatch.Account{
	{Slug: "oppvekst", Name: "Oppvekst og utdanning", SMSAccountID: "b1c9a0de-3f0e-4a57-9f43-0d4cfb2a6c01", SenderName: "Fjordvik", UndoWindow: 10 * time.Second, SourceSystem: "Utsending",
		ShipmentAccountID: "c3e8b1f6-2a47-4d19-b0a5-71d94c6e8f03"},
	{Slug: "helse", Name: "Helse og mestring", SMSAccountID: "5f2d7c44-91b8-4e0c-8d7e-6a3b1f90ce02", SenderName: "Fjordvik", UndoWindow: 5 * time.Second, SourceSystem: "Utsending",
		ShipmentAccountID: "e94f6a0b-5c12-4f83-9d6e-8b20a7c35d04"},
}

// sampleAccount is one of them, with its integrations.
func sampleAccount(i int) dispatch.Account {
	a := Accounts[i]
	a.ID = dispatch.AccountID(sampleID(100 + i))
	a.SMSIntegration, a.ShipmentIntegration = dispatch.IntegrationID(sampleID(200)), dispatch.IntegrationID(sampleID(201))
	return a
}

// Viewers of the exhibits.
func caseworker() dispatch.User {
	return dispatch.User{ID: "kari", Name: "Kari Nordmann", Grants: []dispatch.Grant{
		{Account: sampleAccount(0), Role: dispatch.RoleCaseworker}, {Account: sampleAccount(0), Role: dispatch.RoleTeamLead},
		{Account: sampleAccount(1), Role: dispatch.RoleCaseworker},
	}}
}

// sender may send, and may not open colleagues' content.
func sender() dispatch.User {
	return dispatch.User{ID: "jonas", Name: "Jonas Vik", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleCaseworker}}}
}

func auditor() dispatch.User {
	return dispatch.User{ID: "per", Name: "Per Strand", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleAuditor}}}
}

// auditorOfTwo audits two accounts.
func auditorOfTwo() dispatch.User {
	u := auditor()
	u.Grants = append(u.Grants, dispatch.Grant{Account: sampleAccount(1), Role: dispatch.RoleAuditor})
	return u
}

// manager manages the account and audits it.
func manager() dispatch.User {
	return dispatch.User{ID: "eli", Name: "Eli Moe", Grants: []dispatch.Grant{{Account: sampleAccount(0), Role: dispatch.RoleAccountAdmin}, {Account: sampleAccount(0), Role: dispatch.RoleAuditor}}}
}

func administrator() dispatch.User {
	return dispatch.User{ID: "nora", Name: "Nora Dahl", System: []dispatch.Role{dispatch.RoleSystemAdmin}}
}

func nobody() dispatch.User { return dispatch.User{} }

// sampleID is a made-up UUID.
func sampleID(n int) string { return fmt.Sprintf("0193a0de-3f0e-7a57-9f43-%012d", n) }
