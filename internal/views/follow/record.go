package follow

import (
	"context"
	"strings"
	"time"

	"utsending/internal/i18n"
	"utsending/internal/views"
)

// Record is the proof of an item for an archive package: its timeline, and everything as text.
type Record struct {
	Lines []RecordLine // oldest first
	Text  string
}

// RecordLine is a line of the timeline.
type RecordLine struct {
	At     *time.Time `json:"at,omitempty"`
	Said   string     `json:"said,omitempty"` // the service's timestamp, if it cannot be parsed
	What   string     `json:"what"`
	Text   string     `json:"text,omitempty"`
	Source string     `json:"source"`
}

// RecordOfShipment is the record of a shipment.
func RecordOfShipment(ctx context.Context, p ShipmentPage) Record {
	return recordOf(ctx, proofOfShipment(ctx, p))
}

// RecordOfSMS is the record of an SMS.
func RecordOfSMS(ctx context.Context, p SMSPage) Record { return recordOf(ctx, proofOfSMS(ctx, p)) }

func recordOf(ctx context.Context, p proofPage) (r Record) {
	var b strings.Builder
	write := func(parts ...string) {
		for _, part := range parts {
			b.WriteString(part)
		}
		b.WriteString("\n")
	}
	write(i18n.T(ctx, "proof.title"))
	write(i18n.T(ctx, "proof.taken", "When", views.Precise(ctx, p.Now), "Who", p.User.Name), "\n")
	for _, f := range p.facts {
		write(i18n.T(ctx, f.Label), ": ", f.Value)
	}
	for _, d := range p.files {
		write(d.FileName, " SHA-256 ", d.SHA256)
	}
	write("\n", i18n.T(ctx, "proof.history"))
	for _, l := range p.lines {
		line := RecordLine{Said: l.Said, What: l.Word, Text: l.Text, Source: l.Source}
		when := l.Said
		if !l.At.IsZero() {
			line.At, when = &l.At, views.Precise(ctx, l.At)
		}
		r.Lines = append(r.Lines, line)
		write(strings.TrimSpace(strings.Join([]string{when, l.Word, l.Text}, "  ")), " (", l.Source, ")")
	}
	r.Text = b.String()
	return r
}

// LeftPurged tells in a package that content was purged.
func LeftPurged(ctx context.Context) string { return i18n.T(ctx, "item.purged") }

// LeftHidden tells in a package that the sender has hidden the text.
func LeftHidden(ctx context.Context) string { return i18n.T(ctx, "sms.text.hidden") }
