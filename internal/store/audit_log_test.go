package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// everything is the scope of a person who may see the whole log.
var everything = dispatch.AuditScope{All: true}

// actions are the lines' actions, newest first.
func actions(lines []store.AuditLine) []string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Action)
	}
	return list
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	two := r.other(t)
	id := r.queued(t)
	if err := items.In(r.s).Decisions.Reveal(t.Context(), r.Account.ID, id, r.Actor); err != nil {
		t.Fatal(err)
	}
	two.queued(t)
	if err := r.s.Record(t.Context(), store.Audit{Actor: two.User, Action: "session.login", Origin: "10.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	old := time.Now().AddDate(0, 0, -3)
	for _, tt := range []struct {
		name   string
		scope  dispatch.AuditScope
		filter dispatch.AuditFilter
		want   []string
	}{
		{"newest first", everything, dispatch.AuditFilter{}, []string{"session.login", "sms.send", "item.revealed", "sms.send"}},
		{"of a person", everything, dispatch.AuditFilter{Actor: two.User}, []string{"session.login", "sms.send"}},
		{"of an account", everything, dispatch.AuditFilter{Account: r.Account.ID}, []string{"item.revealed", "sms.send"}},
		{"of a kind", everything, dispatch.AuditFilter{Group: dispatch.AuditContent}, []string{"item.revealed"}},
		{"of one thing", everything, dispatch.AuditFilter{Object: string(id)}, []string{"item.revealed", "sms.send"}},
		{"since a time", everything, dispatch.AuditFilter{From: old}, []string{"session.login", "sms.send", "item.revealed", "sms.send"}},
		{"before a time", everything, dispatch.AuditFilter{To: old}, nil},
		{"no account: nothing", dispatch.AuditScope{}, dispatch.AuditFilter{}, nil},
		{"an auditor of one account sees that one", dispatch.AuditScope{Accounts: []dispatch.AccountID{two.Account.ID}}, dispatch.AuditFilter{}, []string{"sms.send"}},
		{"and nothing of another that is asked for", dispatch.AuditScope{Accounts: []dispatch.AccountID{two.Account.ID}}, dispatch.AuditFilter{Account: r.Account.ID}, nil},
	} {
		lines, more, err := registry.In(r.s).Audit.List(t.Context(), tt.scope, tt.filter, nil, 10)
		if got := actions(lines); err != nil || more || !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, %t, %v; want %q", tt.name, got, more, err, tt.want)
		}
	}
	first, more, err := registry.In(r.s).Audit.List(t.Context(), everything, dispatch.AuditFilter{}, nil, 2)
	if err != nil || !more || len(first) != 2 {
		t.Fatalf("got %d lines, %t, %v", len(first), more, err)
	}
	if l := first[1]; l.ActorName != "Kari Nordmann" || l.AccountSlug != two.Account.Slug || l.Kind != dispatch.KindSMS || l.Origin != "127.0.0.1" {
		t.Errorf("got line %+v", l)
	}
	rest, more, err := registry.In(r.s).Audit.List(t.Context(), everything, dispatch.AuditFilter{}, &registry.AuditKey{At: first[1].At, ID: first[1].ID}, 2)
	if err != nil || more || !slices.Equal(actions(rest), []string{"item.revealed", "sms.send"}) {
		t.Errorf("got %q, %t, %v on the second page", actions(rest), more, err)
	}
	people, err := registry.In(r.s).Audit.Auditees(t.Context(), dispatch.AuditScope{Accounts: []dispatch.AccountID{two.Account.ID}})
	if err != nil || len(people) != 1 || people[0].ID != two.User {
		t.Errorf("got %v, %v: somebody of another account, too", people, err)
	}
}

func TestAuditorOfTheWholeSystem(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	two := r.other(t)
	for _, m := range []registry.RoleMapping{{Claim: "revisjon", Role: dispatch.RoleAuditor}, {Claim: "revisjon", Account: two.Account.ID, Role: dispatch.RoleAuditor},
		{Claim: "oppvekst", Account: r.Account.ID, Role: dispatch.RoleAuditor}} {
		if err := registry.In(r.s).Roles.AddMapping(t.Context(), m, r.Actor); err != nil {
			t.Fatal(err)
		}
	}
	u, err := r.s.User(t.Context(), r.User, "Per", []string{"revisjon"})
	if err != nil || len(u.Grants) != 2 || len(u.System) != 1 || !u.Audits().All || !u.May(dispatch.RightSeeItems, r.Account.ID) {
		t.Errorf("got %+v, %v: want every account once, and the whole log", u, err)
	}
	if u, err = r.s.User(t.Context(), r.User, "Per", []string{"oppvekst"}); err != nil || u.Audits().All || !slices.Equal(u.Audits().Accounts, []dispatch.AccountID{r.Account.ID}) {
		t.Errorf("got %+v, %v of an account's auditor", u.Audits(), err)
	}
	err = registry.In(r.s).Roles.AddMapping(t.Context(), registry.RoleMapping{Claim: "alle", Role: dispatch.RoleCaseworker}, r.Actor)
	if err == nil {
		t.Error("a caseworker of the whole system can be made")
	}
}

// TestEverythingAboutAnObject: requests about an integration, and rights on an account, are among the lines about them; templates are
// named.
func TestEverythingAboutAnObject(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reg, by := registry.In(r.s), r.Actor
	by.Reason = "Ikke i bruk"
	wantErr(t, reg.ActRequests.Ask(t.Context(), dispatch.ActRequest{Act: dispatch.ActOpen, Object: r.Integration.ID, Name: "SMS", Seen: "1"}, time.Now(), by), nil)
	wantErr(t, reg.Roles.AddMapping(t.Context(), registry.RoleMapping{Claim: "gruppe", Account: r.Account.ID, Role: dispatch.RoleAuditor}, by), nil)
	r.queued(t)
	template := dispatch.TemplateID(uuid.NewString())
	wantErr(t, items.In(r.s).Templates.Create(t.Context(), r.Account.ID, template, by, content("Time", "Hei")), nil)
	for object, want := range map[string][]string{
		string(r.Integration.ID): {"act_request.asked"},
		string(r.Account.ID):     {"role_mapping.add"},
		string(template):         {"template.create"},
	} {
		lines, _, err := reg.Audit.List(t.Context(), everything, dispatch.AuditFilter{Object: object}, nil, 10)
		if got := actions(lines); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	if names, err := reg.Audit.Names(t.Context(), []string{string(template)}); err != nil || names.Of[string(template)] != "Time" {
		t.Errorf("got %v, %v", names.Of, err)
	}
}

// TestLogFollowsADraft: the event log of a draft has the line of what it was made from, and of its sending, when it has another id.
func TestLogFollowsADraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	logged := func(id string) []string {
		t.Helper()
		lines, _, err := registry.In(r.s).Audit.List(t.Context(), everything, dispatch.AuditFilter{Object: id}, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		return actions(lines)
	}
	draft := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(2))
	item := read[string](t, r, `SELECT draft_id::text FROM jobs WHERE id = $1`, draft.Job)
	r.SendShipments(t, r.s, draft)
	if got := logged(item); !slices.Contains(got, "job.send") {
		t.Errorf("of a draft that was sent it has %q", got)
	}
	sent := r.SendJob(t, r.s, listOf(2), items.JobText{Text: "Hei der", Segments: 2})
	r.made(t)
	r.exec(t, `UPDATE items SET state = 'failed' WHERE job_id = $1`, sent)
	again, err := items.In(r.s).Repeats.Again(t.Context(), r.Account.ID, sent, r.Actor, uuid.NewString())
	wantErr(t, err, nil)
	if got := logged(string(again)); !slices.Contains(got, "job.copied") {
		t.Errorf("of a draft to those whom a job did not reach it has %q", got)
	}
}
