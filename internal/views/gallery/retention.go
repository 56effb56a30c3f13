package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
	"utsending/internal/views/follow"
)

// sampleHeld are an item under legal hold, and one to a protected person.
func sampleHeld() []admin.HeldItem {
	h := admin.HeldItem{Item: dispatch.Item{ID: dispatch.ItemID(sampleID(1)), Kind: dispatch.KindSMS, CreatedAt: galleryNow.Add(-50 * time.Hour)}, Account: sampleAccount(0), Shown: true,
		By: "Ingrid Lunde", Reason: "Klagesak hos statsforvalteren", Since: galleryNow.Add(-26 * time.Hour)}
	hidden := h
	hidden.ID, hidden.Kind, hidden.Shown, hidden.Reason = dispatch.ItemID(sampleID(2)), dispatch.KindShipment, false, ""
	return []admin.HeldItem{h, hidden}
}

// retentionExhibits are retention periods, and the form of a legal hold.
func retentionExhibits() []exhibit {
	page := func(name, says string, who dispatch.User, change func(frame, *admin.RetentionPage)) exhibit {
		return exhibit{path: "retention/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.RetentionPage{Page: f.page(who, f.text("retention.title")), Kept: dispatch.DefaultRetention(), Form: map[dispatch.Keeping]string{}, Next: dispatch.NextPurge(galleryNow)}
			p.Section = views.SectionRetention
			for k, days := range dispatch.DefaultRetention() {
				p.Form[k] = views.Number(days)
			}
			p.Preview = map[dispatch.Keeping]int{dispatch.KeepDrafts: 4, dispatch.KeepContent: 100_000, dispatch.KeepIdentity: 312}
			p.Fresh, p.LogStays = true, who.MaySystem(dispatch.RightAdminister)
			change(f, &p)
			return admin.Retention(p)
		}}
	}
	hold := func(name, says string, change func(*follow.HoldPage)) exhibit {
		return exhibit{path: "hold/" + name, says: says, show: func(f frame) templ.Component {
			p := follow.HoldPage{Page: f.onAccount(auditor(), views.SectionRetention, f.text("hold.title"))}
			p.Item = dispatch.Item{ID: dispatch.ItemID(sampleID(1)), Kind: dispatch.KindSMS, State: dispatch.StateAccepted}
			change(&p)
			p.Title = f.text(follow.HoldTitle(p.Held))
			return follow.Hold(p)
		}}
	}
	return []exhibit{
		page("administrator", "with what went before", administrator(), func(_ frame, p *admin.RetentionPage) {
			p.Edits = true
			night := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
			p.Held, p.HeldAll = sampleHeld(), 612
			p.Nights = []admin.RetentionNight{{Night: night}, {Night: night.AddDate(0, 0, -1), Ended: true, Counts: p.Preview}}
		}),
		page("old-login", "the login is too old to change it", administrator(), func(_ frame, p *admin.RetentionPage) { p.Edits, p.Fresh = true, false }),
		page("auditor", "may see it, while shorter times wait for approval", auditor(), func(_ frame, p *admin.RetentionPage) {
			p.Waits = "retention.waits"
			p.Held, p.HeldAll = sampleHeld(), 2
		}),
		page("stale", "shorter times were asked for, and one of the times was changed since", administrator(), func(_ frame, p *admin.RetentionPage) { p.Edits, p.Waits = true, "retention.waits.stale" }),
		page("shorter", "what shorter times would delete", administrator(), func(f frame, p *admin.RetentionPage) {
			p.Edits, p.Form[dispatch.KeepContent], p.Shorter = true, "30", true
			p.Preview[dispatch.KeepContent] = 218
			p.Tried = []admin.Effect{admin.Because("act.retention.change.second", "What", f.text("retention.content"), "Before", "90", "After", "30", "Count", views.Number(1071))}
		}),
		page("both", "what a shorter time and a longer one would do", administrator(), func(f frame, p *admin.RetentionPage) {
			p.Edits, p.Form[dispatch.KeepDrafts], p.Form[dispatch.KeepContent], p.Shorter = true, "45", "30", true
			p.Tried = []admin.Effect{admin.Because("act.retention.change.now", "What", f.text("retention.drafts"), "Before", "30", "After", "45", "Count", "0"),
				admin.Because("act.retention.change.second", "What", f.text("retention.content"), "Before", "90", "After", "30", "Count", views.Number(1071))}
		}),
		page("longer", "what longer times would delete", administrator(), func(f frame, p *admin.RetentionPage) {
			p.Edits, p.Form[dispatch.KeepContent] = true, "120"
			p.Preview[dispatch.KeepContent] = 218
			p.Tried = []admin.Effect{admin.Because("act.retention.change", "What", f.text("retention.content"), "Before", "90", "After", "120", "Count", "0")}
		}),
		page("same", "the effect of no change", administrator(), func(_ frame, p *admin.RetentionPage) { p.Edits, p.Tried = true, []admin.Effect{} }),
		page("problems", "numbers that cannot be", administrator(), func(_ frame, p *admin.RetentionPage) {
			p.Edits, p.Form[dispatch.KeepContent] = true, "5"
			p.Problems = dispatch.Problems{{Field: "content", Key: "problem.retention.days", Args: dispatch.Args{"N": 365, "Each": 30}}}
		}),
		page("waits", "a shorter time is asked for already", administrator(), func(_ frame, p *admin.RetentionPage) {
			p.Edits, p.Waits, p.Form[dispatch.KeepContent] = true, "retention.waits", "30"
			p.Problems = wrong("content", "problem.retention.waits")
		}),
		page("order", "numbers that do not fit each other", administrator(), func(_ frame, p *admin.RetentionPage) {
			p.Edits = true
			p.Problems = dispatch.Problems{{Field: "identity", Key: "problem.retention.order"}}
		}),
		hold("new", "nothing keeps it any more", func(p *follow.HoldPage) { p.Flash = &views.Flash{Key: "flash.hold.released", Color: "success"} }),
		hold("held", "somebody keeps it", func(p *follow.HoldPage) {
			p.Flash = &views.Flash{Key: "flash.hold", Color: "success"}
			p.Held, p.HeldReason, p.HeldBy, p.HeldAt = true, "Klagesak hos statsforvalteren", "Ingrid Lunde", galleryNow.Add(-26*time.Hour)
		}),
		hold("gone", "its content is deleted already", func(p *follow.HoldPage) { p.Gone, p.Identity = true, 365 }),
		hold("problem", "without a reason", func(p *follow.HoldPage) {
			p.Problems = dispatch.Problems{{Field: dispatch.FieldPurpose, Key: "problem.hold.empty"}}
		}),
	}
}
