package views

import (
	"context"
	"io"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// ListLines renders the rows of a list.
type ListLines struct {
	Page *Page
	Rows []dispatch.ListRow
	Pick bool // each has a check box
}

// Render implements templ.Component.
func (l ListLines) Render(ctx context.Context, w io.Writer) error {
	m := newMarkup()
	to := recipientWords(ctx)
	for i := range l.Rows {
		m = m[:0]
		m.listLine(ctx, l.Page, &l.Rows[i], to, l.Pick)
		if err := m.to(w); err != nil {
			return err
		}
	}
	return nil
}

// listLine adds a row: the item, its status, channel, reference, sender and time.
func (m *markup) listLine(ctx context.Context, p *Page, r *dispatch.ListRow, to [2]string, pick bool) {
	m.tags(`<tr><td class="cell-main">`)
	pick = pick && !r.Hidden
	if pick {
		m.pick(ctx, p, r)
	}
	m.itemLink(ctx, p, r, to)
	if pick {
		m.tags(`</div></div>`)
	}
	m.tags(`</td><td>`)
	m.itemStatus(ctx, p, r)
	m.tags(`</td>`)
	way := "nav.sms"
	if r.Kind == dispatch.KindShipment {
		way = Channel(r)
	}
	if !p.Lists.NoChannel {
		m.element(`<td class="cell-wide">`, i18n.T(ctx, way), `</td>`)
	}
	if !p.Lists.NoReference {
		m.element(`<td class="cell-wide num reference">`, r.ExternalReference, `</td>`)
	}
	if !p.Lists.NoSender {
		m.element(`<td class="cell-wide nowrap">`, r.Creator, `</td>`)
	}
	m.tags(`<td class="num nowrap end">`)
	m.moment(ctx, r.CreatedAt)
	m.tags(`</td></tr>`)
}

// pick adds the check box of a row, and begins what stands beside it.
func (m *markup) pick(ctx context.Context, p *Page, r *dispatch.ListRow) {
	m.element(`<div class="row"><input class="ds-input" type="checkbox" name="utsending" value="`, string(r.ID), `" aria-label="`)
	name := titleOf(ctx, r)
	if r.Kind != dispatch.KindShipment {
		name, _, _ = p.smsName(ctx, r)
	}
	m.element(``, i18n.T(ctx, "uncertain.choose", "Title", name), `"/><div>`)
}

// itemLink adds the link to an item, named by its recipient.
func (m *markup) itemLink(ctx context.Context, p *Page, r *dispatch.ListRow, to [2]string) {
	if r.Kind != dispatch.KindShipment {
		m.smsLink(ctx, p, r, to)
		return
	}
	m.mainLink(ctx, p, "/forsendelser/", r, titleOf(ctx, r))
	if r.RecipientName != "" {
		m.recipient(to, r.RecipientName)
	}
}

// recipientWords are the words before and after a shipment's recipient.
func recipientWords(ctx context.Context) [2]string {
	before, after, _ := strings.Cut(i18n.T(ctx, "shipments.to", "Name", "\x00"), "\x00")
	return [2]string{before, after}
}

// ItemLink renders the link to an item, named as in lists.
type ItemLink struct {
	Page *Page
	Row  *dispatch.ListRow
}

// Render implements templ.Component.
func (l ItemLink) Render(ctx context.Context, w io.Writer) error {
	m := newMarkup()
	m.itemLink(ctx, l.Page, l.Row, recipientWords(ctx))
	return m.to(w)
}

// SMSLink renders the link to an SMS.
type SMSLink struct {
	Page *Page
	Row  *dispatch.ListRow
}

// Render implements templ.Component.
func (l SMSLink) Render(ctx context.Context, w io.Writer) error {
	m := newMarkup()
	m.smsLink(ctx, l.Page, l.Row, recipientWords(ctx))
	return m.to(w)
}

// smsLink adds the link to an SMS, named by the beginning of one's own text, or by the template or the masked number of colleagues'.
func (m *markup) smsLink(ctx context.Context, p *Page, r *dispatch.ListRow, to [2]string) {
	text, whom, note := p.smsName(ctx, r)
	m.mainLink(ctx, p, "/sms/", r, text)
	switch {
	case whom != "":
		m.recipient(to, whom)
	case note != "":
		m.element(` <small>`, note, `</small>`)
	}
}

// recipient adds whom an item went to.
func (m *markup) recipient(to [2]string, whom string) {
	m.tags(` <small>`)
	m.text(to[0])
	m.text(whom)
	m.text(to[1])
	m.tags(`</small>`)
}

// smsName is how a list names an SMS, and what stands below: whom it went to, or a note instead.
func (p *Page) smsName(ctx context.Context, r *dispatch.ListRow) (text, whom, note string) {
	text, own := LineOf(r, p.User.ID)
	whom = InList(ctx, r.Recipient)
	switch {
	case r.Hidden:
		return text, "", ""
	case !own && r.Template != "":
		text = r.Template
	case !own:
		text, whom = i18n.T(ctx, "sms.list.others_text", "Number", whom), ""
	case text == "":
		text = i18n.T(ctx, "list.purged")
	}
	if !own && r.HideInReport {
		return text, "", i18n.T(ctx, "sms.text.hidden")
	}
	return text, whom, ""
}

// mainLink adds the link to an item of the page's account.
func (m *markup) mainLink(ctx context.Context, p *Page, folder string, r *dispatch.ListRow, words string) {
	if r.Hidden {
		m.element(`<span class="muted">`, i18n.T(ctx, "protected.unnamed"), `</span>`)
		return
	}
	m.element(`<a class="ds-link main-link" href="/k/`, p.Account.Slug, folder)
	m.text(string(r.ID))
	m.element(`">`, words, `</a>`)
}

// itemStatus adds an item's status, its due time, and its signing status.
func (m *markup) itemStatus(ctx context.Context, p *Page, r *dispatch.ListRow) {
	for i, l := range ItemLooks(ctx, r.Item, r.SigningStatus, p.Now) {
		if i > 0 {
			m.tags(` `)
		}
		m.coloured(coloured{l, p.symbolAt(l.Icon)})
	}
	if r.Stage(p.Now) == dispatch.StageScheduled {
		m.element(` <small class="num">`, i18n.T(ctx, "shipments.goes", "When", Soon(ctx, r.DueSince, p.Now)), `</small>`)
	}
	if !r.SignBy.IsZero() && AwaitsSigning(r.State, r.SigningStatus) {
		m.element(` <small class="num">`, Deadline(ctx, r.SignBy, p.Now), `</small>`)
	}
}
