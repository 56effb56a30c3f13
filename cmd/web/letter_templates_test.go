package main_test

import (
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/pdf/pdftest"
)

// beginsFromTemplate: a team lead makes a template of a draft's choices, a caseworker begins a letter with it and sends it.
func beginsFromTemplate(t *testing.T, b *browsertest.Browser) {
	s := newLetterStack(t)
	lead := s.as(t, b, withoutScript, "ingrid")
	l := toPerson("Vedtak [lest]")
	lead.newLetter()
	lead.Fill("#tittel", l.title)
	lead.Fill("#kontering", "4100")
	lead.ClickText("button", "Lagre valgene som mal")
	lead.wantHeading("Lagre valgene som mal")
	lead.Fill("#navn", "Vedtak")
	lead.glance("letter-template-form")
	lead.ClickText("button", "Lagre malen")
	lead.wantText("main", "Konteringskode er 4100.")
	lead.glance("letter-template")

	v := s.as(t, b, withoutScript, "kari")
	v.Go("/k/oppvekst/maler")
	v.glance("letter-templates")
	v.ClickText("button", "Ny forsendelse fra malen")
	v.wantHeading("Ny forsendelse")
	v.wantText(".head", "Fra malen Vedtak, versjon 1")
	if got := v.Value("#kontering"); got != "4100" {
		t.Errorf("the billing code is %q", got)
	}
	v.glance("letter-from-template")
	v.attach(file(t, ".pdf", pdftest.Make(1)))
	v.write(l)
	v.check()
	v.glance("letter-review")
	v.post()
	v.awaitLetter("Lest")
	v.wantText("#forsendelse", "Fra malen Vedtak, versjon 1")
	s.wantShipped(t, l)
}
