package compose

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// OwnDrafts are a user's drafts, of each kind the last changed first.
type OwnDrafts struct {
	Drafts []DraftLine // of shipments
	SMS    []SMSDraftLine
	Jobs   []dispatch.Job // drafts of SMS to many
}

// N is how many there are.
func (d OwnDrafts) N() int { return len(d.Drafts) + len(d.SMS) + len(d.Jobs) }

// DraftLink is a draft of any kind.
type DraftLink struct {
	Name, Path string
	At         time.Time
	Waiting    bool // for approval
	ReturnedBy string
}

// Links are the drafts of all kinds together, the last changed first.
func (d OwnDrafts) Links(ctx context.Context, p views.Page) []DraftLink {
	links := make([]DraftLink, 0, d.N())
	for _, l := range d.Drafts {
		links = append(links, DraftLink{l.Name(ctx), p.PathTo("utkast", string(l.ID)), l.ChangedAt, l.Waiting, l.ReturnedBy})
	}
	for _, l := range d.SMS {
		links = append(links, DraftLink{textOfDraft(ctx, l.Text), l.Path, l.At, l.Waiting, l.ReturnedBy})
	}
	for _, j := range d.Jobs {
		links = append(links, DraftLink{nameOfJobDraft(ctx, j), p.PathTo("jobber", string(j.ID)), j.CreatedAt, j.AwaitsApproval, j.ReturnedBy})
	}
	slices.SortStableFunc(links, func(a, b DraftLink) int { return b.At.Compare(a.At) })
	return links
}

// textOfDraft names the draft of an SMS by the beginning of its text.
func textOfDraft(ctx context.Context, text string) string {
	return views.OrText(beginning(text), i18n.T(ctx, "job.list.empty_text"))
}

// nameOfJobDraft names the draft of an SMS to many by its text, and tells it from the draft whose unreached recipients it goes to.
func nameOfJobDraft(ctx context.Context, j dispatch.Job) string {
	return views.ManyName(ctx, textOfDraft(ctx, j.Text), j)
}

// MustLeaveOut tells how many rows of a draft must be left out before the others can be sent; empty: none, or it can be sent to nobody.
func MustLeaveOut(ctx context.Context, j dispatch.Job) string {
	if j.Replaced == 0 || j.NobodyLeft() {
		return ""
	}
	return i18n.T(ctx, "drafts.must_leave_out", "N", j.Replaced)
}

// DraftsPage lists the viewer's drafts.
type DraftsPage struct {
	views.Page
	OwnDrafts
	Handed []HandedLine // drafts that the viewer has handed over
	Key    string
}

// DraftLine is a draft in the list.
type DraftLine struct {
	ID        dispatch.ItemID
	Title     string
	Recipient string
	Many      *dispatch.Job // its list, as far as the line tells of it; nil: it goes to one
	Files     int
	FirstFile string
	ChangedAt time.Time
	From      string // the colleague who handed it over; empty: nobody
	Waiting   bool   // for approval

	ReturnedBy string // name of the colleague who did not approve it
}

// Name is the title, or else what tells the draft from others: how many it goes to, its first file, or its recipient.
func (d DraftLine) Name(ctx context.Context) string {
	if d.Many != nil {
		return views.ManyName(ctx, views.OrText(d.Title, i18n.T(ctx, "drafts.untitled")), *d.Many)
	}
	return cmp.Or(d.Title, d.FirstFile, d.To(ctx), i18n.T(ctx, "drafts.untitled"))
}

// To is the recipient as far as it is filled in; empty: not yet, or it goes to many.
func (d DraftLine) To(ctx context.Context) string {
	if d.Many != nil || d.Recipient == "" {
		return ""
	}
	return i18n.T(ctx, "shipments.to", "Name", d.Recipient)
}

// about tells who it goes to and what is in it, without what Name says.
func (d DraftLine) about(ctx context.Context) (lines []string) {
	if to := d.To(ctx); to != "" && to != d.Name(ctx) {
		lines = append(lines, to)
	}
	if d.Many != nil {
		if n := d.Many.List.Faulty(); n > 0 {
			lines = append(lines, i18n.T(ctx, "shipments.faults.some", "N", n))
		}
		if line := MustLeaveOut(ctx, *d.Many); line != "" {
			lines = append(lines, line)
		}
	}
	byFile := d.Title == "" && d.Many == nil
	switch others := d.Files - 1; {
	case d.Files == 0:
		lines = append(lines, i18n.T(ctx, "drafts.no_files"))
	case byFile && others == 0: // Name is the file's
	case byFile:
		lines = append(lines, i18n.T(ctx, "drafts.other_files", "N", others))
	case others == 0:
		lines = append(lines, d.FirstFile)
	default:
		lines = append(lines, i18n.T(ctx, "drafts.files_and", "Name", d.FirstFile, "N", others))
	}
	if d.From != "" {
		lines = append(lines, i18n.T(ctx, "drafts.from", "Name", d.From))
	}
	return lines
}

// SMSDraftLine is an SMS in the list that is not sent yet.
type SMSDraftLine struct {
	Path      string
	Recipient string // masked; empty: not filled in
	Text      string
	At        time.Time
	Begun     bool // as typed: it has not been looked over
	Waiting   bool // for approval

	ReturnedBy string // name of the colleague who did not approve it
}

// DraftOfSMS is the line of a draft.
func DraftOfSMS(a dispatch.Account, it dispatch.SMSItem) SMSDraftLine {
	return SMSDraftLine{Path: views.AccountPath(a, "sms", string(it.ID), "kontroll"), Recipient: it.Recipient.Masked(), Text: it.Text, At: it.CreatedAt, Waiting: it.AwaitsApproval, ReturnedBy: it.ReturnedBy}
}

// UnfinishedLine is the line of an autosaved new SMS; fields is its form as it was posted.
func UnfinishedLine(a dispatch.Account, key, fields string, at time.Time) SMSDraftLine {
	values, _ := url.ParseQuery(fields) // we encoded it
	l := SMSDraftLine{Path: UnfinishedPath(a, key), Text: values.Get(dispatch.FieldText), At: at, Begun: true}
	if phone, p := dispatch.ParsePhone("", values.Get(dispatch.FieldPhone)); p == nil {
		l.Recipient = phone.Masked()
	} else if id, p := dispatch.ParseNationalID("", values.Get(dispatch.FieldNationalID)); p == nil {
		l.Recipient = id.Masked()
	}
	return l
}

// UnfinishedPath is the address of an autosaved new SMS.
func UnfinishedPath(a dispatch.Account, key string) string {
	return views.AccountPath(a, "sms", "ny") + "?" + url.Values{FieldForm: {key}}.Encode()
}
