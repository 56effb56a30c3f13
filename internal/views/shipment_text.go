package views

import (
	"context"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// DocumentLine describes a file: pages and size.
func DocumentLine(ctx context.Context, d dispatch.Document) string {
	if d.Pages > 0 {
		return i18n.T(ctx, "document.pages_size", "N", d.Pages, "Size", FileSize(ctx, d.Size))
	}
	return FileSize(ctx, d.Size)
}

// DocumentFinding tells what the inspection of a file found, before sending.
func DocumentFinding(ctx context.Context, d dispatch.Document) string {
	if d.Found == dispatch.DocumentFine {
		return ""
	}
	return i18n.T(ctx, "document.found."+string(d.Found), "Name", d.FileName)
}

// RecipientSentence is the recipient with the address on one line.
func RecipientSentence(ctx context.Context, s dispatch.Shipment) string {
	p := s.Recipient.Postal
	parts := append([]string{p.Name}, p.Lines()...)
	if place := strings.TrimSpace(p.PostalCode + " " + p.City); place != "" {
		parts = append(parts, place)
	}
	if !p.Norwegian() {
		parts = append(parts, p.Country)
	}
	return strings.Join(parts, ", ")
}

// HealthSentence is who gets a shipment in the health network.
func HealthSentence(ctx context.Context, h *dispatch.Health) string {
	if h.HERID != "" {
		return i18n.T(ctx, "shipment.review.her_id", "Number", h.HERID)
	}
	return i18n.T(ctx, "shipment.review.doctor", "Name", h.Patient.Whole())
}

// NumberSentence is the recipient's number.
func NumberSentence(ctx context.Context, d dispatch.DigitalAddress) string {
	switch {
	case d.NationalID != "":
		return i18n.T(ctx, "shipment.review.national_id", "Number", d.NationalID.Grouped())
	case d.OrganizationNumber != "":
		return i18n.T(ctx, "shipment.review.organization", "Number", d.OrganizationNumber.Grouped())
	}
	return ""
}

// DocumentSentence is a file with all choices for it.
func DocumentSentence(ctx context.Context, d dispatch.Document) string {
	parts := []string{d.FileName + ": " + DocumentLine(ctx, d)}
	if len(d.GiroPages) > 0 {
		parts = append(parts, i18n.T(ctx, "document.review.giro", "N", len(d.GiroPages), "Pages", dispatch.PagesText(d.GiroPages)))
	}
	if d.ExcludeFromPrint {
		parts = append(parts, i18n.T(ctx, "document.review.exclude"))
	}
	if d.Sensitive {
		parts = append(parts, i18n.T(ctx, "document.review.sensitive"))
	}
	if d.Sign {
		parts = append(parts, i18n.T(ctx, "document.review.sign"))
	}
	if d.Type != "" {
		parts = append(parts, i18n.T(ctx, "document.review.type", "Type", d.Type))
	}
	if len(d.Extra) > 0 {
		parts = append(parts, i18n.T(ctx, "document.review.extra", "Entries", entriesLine(d.Extra)))
	}
	return strings.Join(parts, ", ")
}

// DeliveryLine says which ways a shipment goes.
func DeliveryLine(ctx context.Context, s dispatch.Shipment) string {
	switch {
	case s.Health != nil:
		return i18n.T(ctx, "shipment.review.health")
	case s.DigitalOnly:
		return i18n.T(ctx, "shipment.review.digital")
	case s.Recipient != (dispatch.Address{}) && s.Recipient.Digital.Empty(): // a shipment to many has none of its own
		return i18n.T(ctx, "shipment.review.print", "Print", PrintWords(ctx, s.Print))
	}
	return i18n.T(ctx, "shipment.review.paper", "Print", PrintWords(ctx, s.Print))
}

// DeliveryKey is the catalogue key of the ways that a sent shipment may go.
func DeliveryKey(it dispatch.ShipmentItem) string {
	switch {
	case it.Health != nil:
		return "shipment.health"
	case it.DigitalOnly:
		return "shipment.digital"
	case it.Addressee() == dispatch.ToPaper && !it.Purged:
		return "shipment.paper_only"
	}
	return "shipment.paper"
}

// DeliverySentences are the choices of delivery and print.
func DeliverySentences(ctx context.Context, s dispatch.Shipment) []string {
	return append([]string{DeliveryLine(ctx, s)}, moreDelivery(ctx, s)...)
}

// PaperSentences are DeliverySentences of a shipment to many of whom nobody has a number.
func PaperSentences(ctx context.Context, s dispatch.Shipment) []string {
	return append([]string{i18n.T(ctx, "shipment.review.print", "Print", PrintWords(ctx, s.Print))}, moreDelivery(ctx, s)...)
}

func moreDelivery(ctx context.Context, s dispatch.Shipment) []string {
	lines := []string{i18n.T(ctx, "shipment.review.source", "System", s.SourceSystem)}
	if s.BillingCode != "" {
		lines = append(lines, i18n.T(ctx, "shipment.review.billing", "Code", s.BillingCode))
	}
	if s.ExternalReference != "" {
		lines = append(lines, i18n.T(ctx, "shipment.review.reference", "Reference", s.ExternalReference))
	}
	for _, line := range []Known{
		{"shipment.review.type", s.Type}, {"shipment.review.actor", s.SourceActor}, {"shipment.review.correlation", s.CorrelationID},
	} {
		if line.Value != "" {
			lines = append(lines, i18n.T(ctx, line.Label, "Value", line.Value))
		}
	}
	return lines
}

// ReplySentences describe where replies go; none when nothing is chosen.
func ReplySentences(ctx context.Context, s dispatch.Shipment) []string {
	var lines []string
	if s.ReplyTo != nil {
		lines = append(lines, i18n.T(ctx, "shipment.review.reply", "Address", RecipientSentence(ctx, dispatch.Shipment{Recipient: *s.ReplyTo})))
		if n := s.ReplyTo.Digital.OrganizationNumber; n != "" {
			lines = append(lines, i18n.T(ctx, "shipment.review.organization", "Number", n.Grouped()))
		}
		if n := s.ReplyTo.Digital.NationalID; n != "" {
			lines = append(lines, i18n.T(ctx, "shipment.review.person", "Number", n.Masked()))
		}
	}
	if s.ReplyLink {
		lines = append(lines, i18n.T(ctx, "shipment.review.reply_link"))
	}
	if s.InReplyTo != "" {
		lines = append(lines, i18n.T(ctx, "shipment.review.in_reply_to", "ID", s.InReplyTo))
	}
	return lines
}

// LinkSentence is a link as shown with the shipment: lead, text, address.
func LinkSentence(l dispatch.Link) string {
	return strings.TrimSpace(l.Lead+" "+l.Text) + " (" + l.URL + ")"
}

// entriesLine formats key-value pairs: "Saksnr = 2026/12; Formål = klage".
func entriesLine(entries []dispatch.Entry) string {
	return strings.ReplaceAll(dispatch.EntriesText(entries), "\n", "; ")
}

// PrintWords describes the print options: "tosidig, svart-hvitt".
func PrintWords(ctx context.Context, p dispatch.PrintOptions) string {
	sides, color := "print.simplex", "print.black"
	if p.Duplex {
		sides = "print.duplex"
	}
	if p.Color {
		color = "print.color"
	}
	return i18n.T(ctx, sides) + ", " + i18n.T(ctx, color)
}

// SigningSentence tells which file is to be signed, how, and until when.
func SigningSentence(ctx context.Context, s dispatch.Shipment) string {
	name := ""
	for _, d := range s.Documents {
		if d.Sign {
			name = d.FileName
		}
	}
	return i18n.T(ctx, "shipment.review.sign", "Name", name, "When", DateText(ctx, s.SignBy), "Type", i18n.T(ctx, "signature."+string(s.SignatureType)))
}

// OutcomeSentence tells what will happen to the shipment.
func OutcomeSentence(ctx context.Context, s dispatch.Shipment, rules dispatch.PrintRules) string {
	name := s.Recipient.Postal.Name
	sheets, giro := s.Sheets()
	paper := i18n.T(ctx, "shipment.sheets", "N", sheets, "Print", PrintWords(ctx, s.Print))
	if giro > 0 {
		paper += ", " + i18n.T(ctx, "shipment.giro_sheets", "N", giro)
	}
	if rules.CoverSheet {
		paper += ", " + i18n.T(ctx, "shipment.cover_sheet")
	}
	switch {
	case s.Health != nil:
		return i18n.T(ctx, "shipment.outcome.health")
	case s.DigitalOnly:
		return i18n.T(ctx, "shipment.outcome.digital", "Name", name)
	case s.Recipient.Digital.Empty():
		return i18n.T(ctx, "shipment.outcome.print", "Name", name, "Paper", paper)
	}
	return i18n.T(ctx, "shipment.outcome.both", "Name", name, "Paper", paper)
}

// DateText formats a date in a sentence: "4. desember 2026".
func DateText(ctx context.Context, t time.Time) string {
	day := t.In(Oslo)
	return i18n.T(ctx, "time.date", "Day", day.Day(), "Month", i18n.T(ctx, "month."+strconv.Itoa(int(day.Month()))), "Year", strconv.Itoa(day.Year()))
}

// OrText is the text, or the other if it is blank.
func OrText(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}
