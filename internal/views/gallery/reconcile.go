package gallery

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// reconcileExhibits are the comparisons of accounts with their services.
func reconcileExhibits() []exhibit {
	list := func(name, says string, off bool, rows ...admin.ReconciledAccount) exhibit {
		return exhibit{path: "reconcile/" + name, says: says, show: func(f frame) templ.Component {
			return admin.Reconciliations(admin.ReconciliationsPage{Page: f.onSetup(views.SectionDelivery, f.text("reconcile.title")), Off: off, Rows: rows})
		}}
	}
	one := func(name, says string, opens bool, r dispatch.Reconciliation) exhibit {
		return exhibit{path: "reconcile/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.ReconciliationPage{Page: f.onSetup(views.SectionDelivery, f.text("reconcile.one")), Reconciliation: r, Opens: opens}
			if opens { // an administrator who works on the account too
				p.User.Grants = caseworker().Grants
			}
			return admin.Reconciliation(p)
		}}
	}
	account := dispatch.Account{ID: "a", Name: "Oppvekst og utdanning", Slug: "oppvekst"}
	of := func(done bool, counts map[dispatch.Verdict]int) dispatch.Reconciliation {
		r := dispatch.Reconciliation{ID: sampleID(700), Account: account, By: "Nora Dahl", OrderedAt: ago(5 * time.Minute), Gathered: true, Counts: counts}
		if done {
			r.DoneAt = ago(4 * time.Minute)
		}
		return r
	}
	clean := of(true, map[dispatch.Verdict]int{dispatch.VerdictAgrees: 1071, dispatch.VerdictBehind: 12})
	found := of(true, map[dispatch.Verdict]int{dispatch.VerdictAgrees: 1071, dispatch.VerdictThere: 1, dispatch.VerdictStranger: 2, dispatch.VerdictMissing: 260, dispatch.VerdictUnanswered: 7})
	found.Cut = true
	row := func(n int, v dispatch.Verdict, kind dispatch.Kind, state dispatch.State, status dispatch.Status, strange ...string) dispatch.ReconciledItem {
		return dispatch.ReconciledItem{ID: dispatch.ItemID(sampleID(710 + n)), Kind: kind, State: state, Status: status, Verdict: v, Strangers: strange, UpstreamID: sampleID(730 + n), CreatedAt: ago(time.Duration(n+1) * 30 * time.Hour)}
	}
	found.Rows = []dispatch.ReconciledItem{
		row(0, dispatch.VerdictThere, dispatch.KindShipment, dispatch.StateUncertain, ""),
		row(1, dispatch.VerdictStranger, dispatch.KindShipment, dispatch.StateAccepted, dispatch.StatusRead, sampleID(750)),
		row(2, dispatch.VerdictStranger, dispatch.KindShipment, dispatch.StateAccepted, dispatch.StatusNotified, sampleID(751), sampleID(752)),
		row(3, dispatch.VerdictMissing, dispatch.KindShipment, dispatch.StateAccepted, dispatch.StatusAccepted),
		row(4, dispatch.VerdictMissing, dispatch.KindSMS, dispatch.StateAccepted, dispatch.StatusSent),
	}
	gone := row(5, dispatch.VerdictMissing, "", "", "")
	gone.Gone, gone.UpstreamID = true, ""
	found.Rows = append(found.Rows, gone)
	found.Silent = []dispatch.SilentService{{Name: "SMS for kommunen", Key: "reason.timeout", N: 6}, {Name: "Forsendelser V2", Key: "reason.unauthorized", ErrorID: sampleID(760), N: 1}}
	goes := of(false, map[dispatch.Verdict]int{dispatch.VerdictAgrees: 400})
	goes.Left = 671
	begins := of(false, map[dispatch.Verdict]int{})
	begins.Gathered = false
	silent := of(true, map[dispatch.Verdict]int{dispatch.VerdictUnanswered: 40})
	silent.Silent = []dispatch.SilentService{{Name: "Forsendelser V3", Key: "reason.busy", N: 40}}
	var rows []admin.ReconciledAccount
	for i, r := range []dispatch.Reconciliation{clean, found, goes, silent, of(true, nil), {}} {
		a := account
		a.Slug = fmt.Sprint("konto-", i)
		a.Name = []string{"Oppvekst og utdanning", "Helse og mestring", "Plan og byggesak", "Kultur", "Teknisk drift", "Barnevern"}[i]
		rows = append(rows, admin.ReconciledAccount{Account: a, Latest: r})
	}
	return []exhibit{
		list("accounts", "accounts with every result", false, rows...),
		list("none", "no account can be compared, and this process does not deliver", true),
		one("found", "every kind of finding, as an administrator who works on the account too", true, found),
		one("found-closed", "as somebody who may not open the items", false, found),
		one("clean", "everything agrees", true, clean),
		one("silent", "a service did not answer", false, silent),
		one("goes", "it is going on", false, goes),
		one("begins", "it has just begun", false, begins),
		{path: "reconcile/part", says: "the part that keeps itself fresh", part: true, show: func(f frame) templ.Component {
			return admin.ReconciliationLive(admin.ReconciliationPage{Page: f.onSetup(views.SectionDelivery, f.text("reconcile.one")), Reconciliation: goes})
		}},
	}
}
