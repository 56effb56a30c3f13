package gallery

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// sampleApproval is a request for approval by Amir.
func sampleApproval(n int, kind dispatch.Kind, recipients int, reasons ...dispatch.ApprovalReason) dispatch.Approval {
	a := dispatch.Approval{ID: dispatch.ApprovalID(sampleID(800 + n)), AccountID: sampleAccount(0).ID, Kind: kind, Item: dispatch.ItemID(sampleID(n)), State: dispatch.ApprovalWaiting,
		Recipients: recipients, Reasons: reasons, AskedBy: "amir", Asker: "Amir Hosseini", AskedAt: ago(2 * time.Hour)}
	if recipients > 1 {
		a.Job = dispatch.JobID(sampleID(700))
	}
	return a
}

// sampleRule is when the account demands approval.
func sampleRule() dispatch.ApprovalRule {
	return dispatch.ApprovalRule{Recipients: 300, Cost: 50_000, Sensitive: true}
}

// asReview gives a review its title, of what waits what it is, and the sender's review its section.
func (f frame) asReview(p *views.Page, a compose.Approving) {
	if !a.Deciding && len(a.Stops) == 0 {
		p.Section = views.SectionNewSMS
	}
	switch {
	case len(a.Reasons) > 0:
		p.Title = f.text("approval.ask.title")
	case a.Last.Waiting():
		p.Title = f.text(compose.What(a.Last), "N", a.Last.Recipients, "Name", a.Last.Name)
	}
}

// returned is that request, returned by a colleague.
func returned(a dispatch.Approval) dispatch.Approval {
	a.State, a.Decider, a.DecidedAt, a.Note = dispatch.ApprovalReturned, "Ingrid Lunde", ago(time.Hour), "Møtet er torsdag, ikke onsdag.\nRett også navnet på skolen."
	return a
}

// templateApproval is a request to approve a new or changed template.
func templateApproval(n int, fresh bool) dispatch.Approval {
	a := sampleApproval(n, dispatch.KindSMS, 0, dispatch.ApprovalChange)
	a.Item, a.Template, a.Name, a.New, a.AskedBy, a.Asker, a.Seen = "", sampleTemplate().ID, sampleTemplate().Name, fresh, "jonas", "Jonas Vik", "5"
	return a
}

// templateProposalExhibits are the approver's page, and the template's page before and after the decision.
func templateProposalExhibits() []exhibit {
	decide := func(t dispatch.Template, proposed dispatch.TemplateVersion, ps ...dispatch.Problem) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.TemplateProposalPage{Page: f.onAccount(teamLead(), views.SectionApprovals, ""), Template: t, Proposed: proposed}
			p.Approving = compose.Approving{Last: templateApproval(8, t.Unused), Deciding: true, Seen: "5"}
			p.Problems, p.Title = ps, f.text(compose.What(p.Approving.Last), "Name", proposed.Name)
			return compose.TemplateProposal(p)
		}
	}
	next := sampleTemplate().TemplateVersion
	next.Number, next.Text, next.By, next.Asked = 5, next.Text+" Ring oss hvis du ikke kan komme.", "Jonas Vik", dispatch.ApprovalWaiting
	fresh := sampleTemplate()
	fresh.TemplateVersion, fresh.Unused, fresh.Newest, fresh.Proposed = next, true, 5, dispatch.ApprovalWaiting
	letters := shipmentTemplate(1)
	page := func(who dispatch.User, unused, older bool, state dispatch.ApprovalState) func(frame) templ.Component {
		return func(f frame) templ.Component {
			t, last := sampleTemplate(), templateApproval(8, unused)
			newest := next
			newest.Asked = state
			t.Newest, t.Proposed = 5, state
			p := compose.TemplatePage{Page: f.onAccount(who, views.SectionTemplates, t.Name), Versions: append([]dispatch.TemplateVersion{newest}, sampleVersions()...)}
			if p.Template = t; unused {
				p.Template.TemplateVersion, p.Template.Unused, p.Versions = newest, true, p.Versions[:1]
			}
			if last.State = state; state == dispatch.ApprovalReturned {
				last = returned(last)
			}
			if p.Shown, p.Last = p.Template.TemplateVersion, last; older {
				p.Shown, p.Title = newest, f.text("template.version.title", "Name", newest.Name, "Version", newest.Number)
			}
			return compose.TemplateShow(p)
		}
	}
	jonas := accountAdmin()
	jonas.ID = "jonas"
	return []exhibit{
		{path: "template-proposal/changed", says: "the version in use beside the new one", show: decide(sampleTemplate(), next)},
		{path: "template-proposal/new", says: "a new template", show: decide(fresh, next)},
		{path: "template-proposal/letters", says: "of shipments", show: decide(letters, shipmentTemplate(2).TemplateVersion)},
		{path: "template-proposal/taken", says: "another template has got its name", show: decide(sampleTemplate(), next, dispatch.Problem{Field: "forslag", Key: "problem.template.taken"})},
		{path: "template-proposal/no-note", says: "returned without a note", show: decide(sampleTemplate(), next, dispatch.Problem{Field: dispatch.FieldApprovalNote, Key: "problem.approval.note"})},
		{path: "template-proposal/waiting", says: "the template's page meanwhile, for who asked", show: page(jonas, false, false, dispatch.ApprovalWaiting)},
		{path: "template-proposal/waiting-decide", says: "and for who may approve it", show: page(teamLead(), false, false, dispatch.ApprovalWaiting)},
		{path: "template-proposal/waiting-new", says: "a new one waits", show: page(caseworker(), true, false, dispatch.ApprovalWaiting)},
		{path: "template-proposal/returned", says: "not approved, with a note", show: page(jonas, false, false, dispatch.ApprovalReturned)},
		{path: "template-proposal/returned-new", says: "a new one that is not approved", show: page(jonas, true, false, dispatch.ApprovalReturned)},
		{path: "template-proposal/version-waiting", says: "the version that waits", show: page(jonas, false, true, dispatch.ApprovalWaiting)},
		{path: "template-proposal/version-returned", says: "a version that was not approved", show: page(jonas, false, true, dispatch.ApprovalReturned)},
		{path: "template-proposal/version-withdrawn", says: "a version that was withdrawn", show: page(jonas, false, true, dispatch.ApprovalWithdrawn)},
		{path: "template-proposal/withdrawn-new", says: "a new one that was withdrawn", show: page(jonas, true, false, dispatch.ApprovalWithdrawn)},
	}
}

// approvalExhibits are the list of pending approvals, and the reviews of senders and approvers.
func approvalExhibits() []exhibit {
	list := func(waiting ...dispatch.Approval) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ApprovalsPage{Page: f.onAccount(caseworker(), views.SectionApprovals, f.text("approval.title")), Approvals: waiting}
			p.ToApprove, p.Account.Approval = len(waiting), sampleRule()
			return compose.Approvals(p)
		}
	}
	own := sampleApproval(3, dispatch.KindSMS, 1, dispatch.ApprovalSensitive)
	own.AskedBy, own.Asker = caseworker().ID, caseworker().Name
	exhibits := []exhibit{
		{path: "approvals/none", says: "nothing waits", show: list()},
		{path: "approvals/some", says: "of each kind, and one's own", show: list(
			sampleApproval(1, dispatch.KindSMS, 1, dispatch.ApprovalTemplate), own, sampleApproval(4, dispatch.KindSMS, 1202, dispatch.ApprovalRecipients),
			sampleApproval(5, dispatch.KindShipment, 1, dispatch.ApprovalSensitive, dispatch.ApprovalTemplate), templateApproval(8, true), templateApproval(9, false), sampleApproval(6, dispatch.KindShipment, 310, dispatch.ApprovalRecipients), sampleApproval(7, dispatch.KindSMS, 1))},
	}
	stops := dispatch.Problems{{Field: dispatch.FieldSendDay, Key: "problem.send_at.past"}, {Field: "neste", Key: "problem.approval.rules"}, {Field: "neste", Key: "problem.approval.repeated"}}
	for _, state := range []struct {
		name, says string
		of         func(dispatch.Approval) compose.Approving
		ps         dispatch.Problems
	}{
		{"asks", "somebody else has to approve it", func(a dispatch.Approval) compose.Approving { return compose.Approving{Reasons: a.Reasons} }, nil},
		{"needed", "the rule came after the page", func(a dispatch.Approval) compose.Approving { return compose.Approving{Reasons: a.Reasons} }, dispatch.Problems{{Field: "neste", Key: "problem.approval.needed"}}},
		{"waiting", "the sender's, while it waits", func(a dispatch.Approval) compose.Approving { return compose.Approving{Last: a} }, nil},
		{"returned", "the sender's, with a note", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Reasons: a.Reasons, Last: returned(a)}
		}, nil},
		{"decide", "the approver's", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1"}
		}, nil},
		{"decide-only", "the approver's, who may not stop it afterwards", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1", OnlyApproves: true}
		}, nil},
		{"no-note", "returned without a note", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1"}
		}, dispatch.Problems{{Field: dispatch.FieldApprovalNote, Key: "problem.approval.note"}}},
		{"long-note", "a note that is too long", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1", Note: strings.Repeat("Rett navnet. ", 90)}
		}, dispatch.Problems{{Field: dispatch.FieldApprovalNote, Key: "problem.approval.note_long"}}},
		{"changed", "it is not as it was", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1"}
		}, dispatch.Problems{{Field: "neste", Key: "problem.approval.changed"}}},
		{"unseen", "it was changed while the page was open", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1"}
		}, dispatch.Problems{{Field: "neste", Key: "problem.approval.unseen"}}},
		{"answered", "some of its recipients got the same meanwhile", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Seen: "1"}
		}, dispatch.Problems{{Field: "neste", Key: "problem.approval.answered"}}},
		{"stopped", "it cannot be approved as it is", func(a dispatch.Approval) compose.Approving {
			return compose.Approving{Last: a, Deciding: true, Stops: stops}
		}, nil},
	} {
		add := func(kind, says string, show func(frame) templ.Component) {
			exhibits = append(exhibits, exhibit{path: "approval/" + kind + "-" + state.name, says: says + ": " + state.says, show: show})
		}
		add("sms", "an SMS", func(f frame) templ.Component {
			p := compose.SMSReviewPage{Page: f.onAccount(caseworker(), views.SectionApprovals, f.text("sms.review.title")), Item: sampleSMS(1)}
			p.Item.State, p.Narrow, p.Problems = dispatch.StateDraft, true, state.ps
			p.Measured, p.Approving = measured(p.Item.Text, dispatch.Quota{Used: 812}), state.of(sampleApproval(1, dispatch.KindSMS, 1, dispatch.ApprovalTemplate, dispatch.ApprovalSensitive))
			if p.Approving.Last.Waiting() && !p.Approving.Deciding {
				p.Account.UndoWindow = 0
			}
			if p.Approving.OnlyApproves {
				p.Item.SendAt = p.Now.Add(50 * time.Hour)
			}
			f.asReview(&p.Page, p.Approving)
			return compose.SMSReview(p)
		})
		if len(state.ps) > 0 {
			continue
		}
		add("job", "an SMS to many", func(f frame) templ.Component {
			p := compose.JobReviewPage{Page: f.onAccount(caseworker(), views.SectionApprovals, f.text("sms.review.title")), Job: sampleJob()}
			p.Previews = []compose.JobPreview{{Number: "••• •• 123", Text: "Hei Åse, foreldremøtet er flyttet."}, {Number: "+46 ••• 567", Text: "Hei Per, foreldremøtet er flyttet."}}
			p.Narrow, p.Approving = true, state.of(sampleApproval(2, dispatch.KindSMS, 1202, dispatch.ApprovalRecipients, dispatch.ApprovalCost))
			p.Account.Approval = sampleRule()
			if p.Approving.Deciding {
				p.First, p.More = "/k/oppvekst/godkjenning/"+sampleID(802), "/k/oppvekst/godkjenning/"+sampleID(802)+"?etter=50"
			}
			f.asReview(&p.Page, p.Approving)
			return compose.JobReview(p)
		})
		add("shipment", "a shipment", func(f frame) templ.Component {
			p := compose.ShipmentReviewPage{Page: f.onAccount(caseworker(), views.SectionApprovals, f.text("sms.review.title")), ID: dispatch.ItemID(sampleID(1)), Version: 3, Shipment: sampleShipment(1).Shipment}
			p.Narrow, p.Approving = true, state.of(sampleApproval(5, dispatch.KindShipment, 1, dispatch.ApprovalSensitive, dispatch.ApprovalProtected))
			f.asReview(&p.Page, p.Approving)
			return compose.ShipmentReview(p)
		})
		add("shipments", "a shipment to many", func(f frame) templ.Component {
			p := compose.ShipmentListReviewPage{Page: f.onAccount(caseworker(), views.SectionApprovals, f.text("sms.review.title")), Numbered: true, ID: dispatch.ItemID(sampleID(1)), Job: sampleShipmentJob(), Shipment: sampleShipment(1).Shipment}
			p.Narrow, p.Job.List = true, dispatch.JobList{Read: 20, Valid: 20}
			for row := 2; row < 5; row++ {
				p.Lines = append(p.Lines, compose.ShipmentLine{Row: sampleRecipient(row), Shipment: sampleShipment(1).Shipment})
			}
			p.Approving = state.of(sampleApproval(6, dispatch.KindShipment, 20, dispatch.ApprovalRecipients, dispatch.ApprovalCost)) // whose limits are gone
			f.asReview(&p.Page, p.Approving)
			return compose.ShipmentListReview(p)
		})
	}
	return append(exhibits, templateProposalExhibits()...)
}
