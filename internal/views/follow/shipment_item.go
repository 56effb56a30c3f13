package follow

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// ShipmentPage shows one shipment.
type ShipmentPage struct {
	views.Page
	Item   dispatch.ShipmentItem
	Joined bool            // both histories merged into one timeline
	Bokmal *i18n.Catalogue // Assumption: the service writes its history in bokmål
	Around
}

// Around is what an item's page shows beside the item.
type Around struct {
	Events    []dispatch.Event // our own, not the service's
	From      Origin           // whose events are shown; empty: all
	Reach     dispatch.Reach
	Opened    Opened
	Back      BackLink
	CopyKey   string // form key of the button that copies the item
	Archived  dispatch.Archived
	Kept      Kept
	FollowUp  dispatch.FollowUp
	Relatives []dispatch.Relative
	Draft     dispatch.Item       // the reader's newest, to be sent in its place; zero: none
	ListDraft dispatch.Successor  // the reader's newest to a list with its recipient, to be sent in its place; zero: none
	End       dispatch.ContentEnd // of what ended badly
}

// draftPath is the address of an item's draft.
func draftPath(p views.Page, d dispatch.Item) string {
	if d.Kind == dispatch.KindShipment {
		return p.PathTo("utkast", string(d.ID))
	}
	return p.PathTo("sms", string(d.ID), "endre")
}

// missed tells whether the recipient got nothing, also not in place of it.
func (a Around) missed(it dispatch.Item) bool { return it.EndedBadly() && !replaced(a.Relatives) }

// apart tells whether what is related to the item is listed after its acts: what replaces it stands in place of the advice.
func (a Around) apart(it dispatch.Item) bool { return !it.EndedBadly() || !replaced(a.Relatives) }

// correctors is the sender of an item that failed, if the reader can neither correct nor send it again; empty: it was replaced, or they can.
func (a Around) correctors(p *views.Page, it dispatch.Item) string {
	sendsAgain := it.MaySendAgain() && p.May(dispatch.RightFollowUp)
	if p.MayCorrect(it, a.Reach) || sendsAgain || replaced(a.Relatives) {
		return ""
	}
	return it.Creator
}

// why is the sentence under the tag. Of what was replaced it tells why it ended, without advice.
func (a Around) why(ctx context.Context, it dispatch.Item, now time.Time) string {
	if a.apart(it) {
		return views.Why(ctx, it, a.Events, now)
	}
	switch it.Stage(now) {
	case dispatch.StageStatus:
		return i18n.T(ctx, views.StatusKey(it.Kind, it.Status)+".cause")
	case dispatch.StageRejected:
		if it.Reason.HTTPStatus != 0 {
			return i18n.T(ctx, "stage.rejected.by_service")
		}
		return i18n.T(ctx, "stage.rejected.means")
	}
	return views.Why(ctx, it, a.Events, now)
}

// why is the sentence under the tag. That a letter did not arrive means less of one that could be printed.
func (p ShipmentPage) why(ctx context.Context) string {
	undelivered := p.Item.State == dispatch.StateAccepted && p.Item.Status.Of(dispatch.KindShipment).Meaning == dispatch.MeaningNotDelivered
	switch apart := p.apart(p.Item.Item); {
	case undelivered && p.Item.DigitalOnly && apart:
		return views.Told(ctx, "status.shipment.IKKE_LEVERT.digital")
	case undelivered && !p.Item.DigitalOnly && !apart:
		return i18n.T(ctx, "status.shipment.IKKE_LEVERT.paper")
	}
	return p.Around.why(ctx, p.Item.Item, p.Now)
}

// complaint is what the service writes about a shipment that it did not take, or dismissed later: then the last line of
// its history, if that says more than its status.
func (p ShipmentPage) complaint(ctx context.Context) string {
	switch {
	case p.Item.State == dispatch.StateRejected:
		return cmp.Or(p.Item.Fault.Said, p.Item.Answer.Message)
	case p.refused() && len(p.Item.Events) > 0:
		last := slices.MaxFunc(p.Item.Events, func(a, b dispatch.ServiceEvent) int { return a.At.Compare(b.At) }).Text
		if !strings.EqualFold(last, views.LookOf(ctx, p.Item.Item, p.Now).Word) {
			return last
		}
	}
	return ""
}

// statusAt is when the status changed: by the service's clock, if that is told, else when we first saw it.
func (p ShipmentPage) statusAt() time.Time {
	if !p.Item.ServiceStatusAt.IsZero() {
		return p.Item.ServiceStatusAt
	}
	return p.Item.StatusAt
}

// copyable tells whether the user may copy it: it is theirs, or may be opened with a reason, and is not uncertain.
func (p ShipmentPage) copyable() bool {
	return p.Reach != dispatch.ReachNone && p.May(dispatch.RightSendShipments) && p.Item.MayCopy()
}

// correctedBy is the sender, who like a lead can correct what failed; empty: the reader can, or nobody.
func (p ShipmentPage) correctedBy() string {
	if failed := p.Item.EndedBadly() || p.Item.SigningFailed(); !failed || !p.Item.MayCopy() {
		return ""
	}
	return p.correctors(&p.Page, p.Item.Item)
}

// copyLabel is the catalogue key of the copy button.
func (p ShipmentPage) copyLabel() string {
	if p.Item.EndedBadly() || p.Item.SigningFailed() {
		return "shipment.item.correct"
	}
	return "shipment.item.copy"
}

// byPaper tells whether the page offers to send it again so that it may be printed.
func (p ShipmentPage) byPaper() bool {
	return p.copyable() && p.Item.DigitalOnly && p.Item.Health == nil && (p.Item.EndedBadly() || p.FollowUp.Open())
}

// refused tells whether something in the shipment itself has to be corrected: it was not taken, or its metadata or a file was dismissed.
func (p ShipmentPage) refused() bool {
	return p.Item.State == dispatch.StateRejected || p.Item.State == dispatch.StateAccepted && p.Item.Status.Of(dispatch.KindShipment).Meaning == dispatch.MeaningRefused
}

// tellsHistory tells whether the panel Historikk has anything to show.
func (p ShipmentPage) tellsHistory(ctx context.Context) bool {
	stale := staleSource(ctx, p.Item, dispatch.SourceHistory, p.Now) != "" || p.Joined && staleSource(ctx, p.Item, dispatch.SourceSigning, p.Now) != ""
	return p.historyLater() || stale || len(p.history(ctx)) > 0
}

// historyLater tells whether the service has no history yet.
func (p ShipmentPage) historyLater() bool { return p.Item.UpstreamID == "" && !p.Item.Item.Settled() }

// contextLine says to whom it goes, unless that is deleted, and who made it when. In the health network the name is the patient's.
func (p ShipmentPage) contextLine(ctx context.Context) string {
	name, when := p.Item.Recipient.Postal.Name, views.Near(ctx, p.Item.CreatedAt, p.Now)
	switch {
	case name == "":
		return i18n.T(ctx, "shipment.item.context.unnamed", "When", when, "Who", p.Item.Creator)
	case p.Item.Health != nil:
		return i18n.T(ctx, "shipment.health.item.context", "Name", name, "When", when, "Who", p.Item.Creator)
	}
	return i18n.T(ctx, "shipment.item.context", "Name", name, "When", when, "Who", p.Item.Creator)
}

// bySMS is the catalogue key of the button that writes an SMS about it; empty: not offered.
func (p ShipmentPage) bySMS() string {
	switch {
	case p.Reach == dispatch.ReachNone || !p.May(dispatch.RightSendSMS) || !p.Account.HasSMS() || p.Item.Recipient.Digital.NationalID == "" || p.Item.Health != nil:
		return ""
	case p.Item.AwaitsSigning():
		return "shipment.item.remind"
	case p.Item.EndedBadly():
		return "shipment.item.by_sms"
	}
	return ""
}

// at is an address below this shipment.
func (p ShipmentPage) at(parts ...string) string {
	return p.PathTo(append([]string{"forsendelser", string(p.Item.ID)}, parts...)...)
}

// address is the address from which this view refreshes itself.
func (p ShipmentPage) address() string { return p.filtered(p.Joined, p.From) }

// filtered is the address of this page with both histories joined or not, and with the lines of one origin.
func (p ShipmentPage) filtered(joined bool, from Origin) string {
	return historyAddress(p.at(), joined, from)
}

// from is the address of this page with the lines of one origin.
func (p ShipmentPage) from(o Origin) string { return p.filtered(p.Joined, o) }

// settled tells whether nothing more changes without a person; a signing must have ended too.
func (p ShipmentPage) settled() bool {
	open := p.Item.Signing() && p.Item.State == dispatch.StateAccepted && p.Item.UpstreamID != "" && !p.Item.SigningStatus.Settled()
	return p.Item.Settled() && !open
}

// liveAfter is the value of data-live-etter, empty when the shipment is settled. While only the signing is open, it
// refreshes slowly.
func (p ShipmentPage) liveAfter() string {
	if after := views.LiveAfter(p.Item.Item, p.Now); after != "" || p.settled() {
		return after
	}
	return "60"
}

// news is what the live region announces on a change.
func (p ShipmentPage) news(ctx context.Context) string {
	words := views.LookOf(ctx, p.Item.Item, p.Now).Word
	if p.Item.SigningStatus != "" {
		words += ". " + views.SigningLook(ctx, p.Item.SigningStatus).Word
	}
	return words
}

// decidable tells whether a person must decide about the shipment now: it is uncertain and no look-up is scheduled.
func (p ShipmentPage) decidable() bool {
	return p.Item.State == dispatch.StateUncertain && p.Item.RecoverAt.IsZero()
}

// history is the content of the panel Historikk, newest first. What the signing's own panel tells is left out unless both are joined.
func (p ShipmentPage) history(ctx context.Context) []line {
	own := eventLines(ctx, dispatch.KindShipment, p.Events)
	for i := range own {
		if own[i].Status != "" && p.Bokmal != nil {
			own[i].Theirs = views.StatusLook(i18n.With(ctx, p.Bokmal), dispatch.KindShipment, own[i].Status).Word
		}
	}
	lines := once(ctx, merged(serviceLines(ctx, p.Item.Events), own, p.signingHistory(ctx)), p.Now)
	if p.Joined || len(p.Item.SigningEvents) == 0 {
		return lines
	}
	return slices.DeleteFunc(lines, func(l line) bool { return l.Signing && !l.Observed })
}

func (p ShipmentPage) signingHistory(ctx context.Context) []line {
	lines := merged(serviceLines(ctx, p.Item.SigningEvents))
	for i := range lines {
		lines[i].Signing = true
	}
	return lines
}

// whySigning is the sentence about the signing.
func whySigning(ctx context.Context, it dispatch.ShipmentItem) string {
	key := "signing." + string(it.SigningStatus) + ".why"
	switch it.SigningStatus.Row().Meaning {
	case dispatch.SigningMeansNew:
		return i18n.T(ctx, "status.unknown.why")
	case dispatch.SigningMeansWaiting:
		return i18n.T(ctx, key, "When", views.DateText(ctx, it.SignBy))
	case dispatch.SigningMeansSigned, dispatch.SigningMeansExpired:
		return views.Told(ctx, key, "When", views.DateText(ctx, it.SigningAt))
	}
	return i18n.T(ctx, key)
}

// staleSource says that a source could not be read, and since when; empty when the last read succeeded.
func staleSource(ctx context.Context, it dispatch.ShipmentItem, s dispatch.Source, now time.Time) string {
	r := it.Read[s]
	what := i18n.T(ctx, "source."+string(s))
	switch {
	case r.Failed.Key == "":
		return ""
	case r.At.IsZero():
		return i18n.T(ctx, "source.never", "What", what, "When", views.Near(ctx, r.Failed.At, now), "Reason", i18n.T(ctx, views.Worded(it.Kind, r.Failed.Key)))
	}
	return i18n.T(ctx, "source.stale", "What", what, "When", views.Near(ctx, r.Failed.At, now), "Since", views.Near(ctx, r.At, now), "Reason", i18n.T(ctx, views.Worded(it.Kind, r.Failed.Key)))
}

// agreement compares the service's checksum of a file with ours.
type agreement string

// The results.
const (
	agreementNone      agreement = ""          // nothing to compare yet: the service does not have the shipment
	agreementUntold    agreement = "untold"    // the service gives no checksum
	agreementEncrypted agreement = "encrypted" // the service's checksum is of the encrypted file
	agreementSame      agreement = "same"
	agreementDiffers   agreement = "differs"
)

// file is a document with the service's metadata.
type file struct {
	dispatch.Document
	Told      *dispatch.ServiceDocument // nil: none
	Agreement agreement
}

// files are the documents in order.
func (p ShipmentPage) files() []file {
	files := make([]file, len(p.Item.Documents))
	for i, d := range p.Item.Documents {
		told := toldOf(p.Item.Files, d.FileName)
		files[i] = file{d, told, p.agree(d, told)}
	}
	return files
}

// strangers are files at the service that we did not send.
func (p ShipmentPage) strangers() []dispatch.ServiceDocument {
	var strangers []dispatch.ServiceDocument
	for _, told := range p.Item.Files {
		known := false
		for _, d := range p.Item.Documents {
			known = known || dispatch.SameFileName(d.FileName, told.FileName)
		}
		if !known {
			strangers = append(strangers, told)
		}
	}
	return strangers
}

func toldOf(files []dispatch.ServiceDocument, name string) *dispatch.ServiceDocument {
	for i := range files {
		if dispatch.SameFileName(files[i].FileName, name) {
			return &files[i]
		}
	}
	return nil
}

// agree compares checksums. Assumption: the service writes them in hexadecimal as we do.
func (p ShipmentPage) agree(d dispatch.Document, told *dispatch.ServiceDocument) agreement {
	switch {
	case p.Item.UpstreamID == "" || told == nil && p.Item.Deleted != dispatch.DeletedNone:
		return agreementNone
	case p.Item.Encrypted:
		return agreementEncrypted
	case told == nil || told.SHA256 == "":
		return agreementUntold
	case strings.EqualFold(d.SHA256, told.SHA256):
		return agreementSame
	}
	return agreementDiffers
}

// linked tells whether the service gives links to any file.
func (p ShipmentPage) linked() bool {
	for _, told := range p.Item.Files {
		if told.DownloadURL != "" || told.SigningURL != "" {
			return true
		}
	}
	return false
}

// properties are the choices for a file, as tags.
func properties(ctx context.Context, d dispatch.Document) []views.Look {
	var tags []views.Look
	if d.Sign {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "document.tag.sign"), Color: "info", Icon: "PencilLine"})
	}
	if d.Sensitive {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "document.sensitive"), Color: "warning", Icon: "ShieldLock"})
	}
	if n := len(d.GiroPages); n > 0 {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "document.tag.giro", "N", n, "Pages", dispatch.PagesText(d.GiroPages)), Color: "giro", Icon: "Receipt"})
	}
	if d.ExcludeFromPrint {
		tags = append(tags, views.Look{Word: i18n.T(ctx, "document.exclude"), Color: "neutral", Icon: "PrinterSmall"})
	}
	return tags
}

// toldOfFile is the service's metadata of a file besides name, size, checksum and links.
func toldOfFile(ctx context.Context, told dispatch.ServiceDocument) []dispatch.Entry {
	var all []dispatch.Entry
	for _, e := range []dispatch.Entry{{Key: "document.told.type", Value: told.Type}, {Key: "document.told.mime", Value: told.MimeType}} {
		if e.Value != "" {
			all = append(all, dispatch.Entry{Key: i18n.T(ctx, e.Key), Value: e.Value})
		}
	}
	if told.Signable {
		all = append(all, dispatch.Entry{Key: i18n.T(ctx, "document.told.signable"), Value: i18n.T(ctx, "shipment.item.yes")})
	}
	if told.Sensitive {
		all = append(all, dispatch.Entry{Key: i18n.T(ctx, "document.sensitive"), Value: i18n.T(ctx, "shipment.item.yes")})
	}
	return append(all, told.Extra...)
}

// documentsLine sums up the documents: "2 dokumenter, 7 sider, 318 kB".
func documentsLine(ctx context.Context, s dispatch.Shipment) string {
	parts := []string{i18n.T(ctx, "shipment.item.documents.n", "N", len(s.Documents))}
	pages := 0
	for _, d := range s.Documents {
		pages += d.Pages
	}
	if pages > 0 {
		parts = append(parts, i18n.T(ctx, "shipment.item.pages.n", "N", pages))
	}
	return strings.Join(append(parts, views.FileSize(ctx, s.Size())), ", ")
}

// shortHash abbreviates a checksum: "9f2c4a…e81b07".
func shortHash(sum string) string {
	if len(sum) < 16 {
		return sum
	}
	return sum[:6] + "…" + sum[len(sum)-6:]
}

// AddressLine is an address on one line, without name and country.
func AddressLine(a dispatch.PostalAddress) string {
	lines := a.Lines()
	if place := strings.TrimSpace(a.PostalCode + " " + a.City); place != "" {
		lines = append(lines, place)
	}
	return strings.Join(lines, ", ")
}

// dayClock formats a time in the track: "18.11. kl. 09.30", in English "18 Nov at 09:30".
func dayClock(ctx context.Context, t time.Time) string {
	return i18n.T(ctx, "time.span", "Date", i18n.DayInTable.Of(ctx, t.In(views.Oslo)), "Clock", views.Clock(ctx, t))
}
