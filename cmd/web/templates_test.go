package main_test

import (
	"strings"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// usesTemplates: a team lead writes and changes a template, and a caseworker sends with it, with or without script.
func usesTemplates(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		s.writesTemplate(t, b, o)
		v := s.as(t, b, o, "kari")
		v.Go("/k/oppvekst/sms/ny")
		v.Check(`[name=mottaker][value=telefonnummer]`)
		v.Fill("#telefonnummer", "90000123")
		v.Fill("#tekst", "Mine egne ord")
		v.Select("#mal", "Påminnelse – Nynorsk")
		v.ClickText("button", "Hent teksten")
		v.WaitText("#mal-bytt", "Vil du bytte ut det du har skrevet, med malen Påminnelse?")
		if got := v.Value("#tekst"); got != "Mine egne ord" {
			t.Errorf("what was typed became %q", got)
		}
		v.look("sms-template-asks-" + v.mode())
		v.ClickText("button", "Behold teksten min")
		eventually(t, "the question is gone", func() bool { return v.Count("#mal-bytt") == 0 })
		if got := v.Value("#tekst"); got != "Mine egne ord" {
			t.Errorf("what was kept became %q", got)
		}
		v.Select("#mal", "Påminnelse – Nynorsk")
		v.ClickText("button", "Hent teksten")
		v.WaitText("#mal-bytt", "Påminnelse")
		v.ClickText("button", "Bytt ut teksten")
		v.WaitText("#mal-valg", "Teksten er hentet fra malen Påminnelse, versjon 2.")
		if got := v.Value("#tekst"); got != "Hei ((fornavn)). Møt kl. ti." {
			t.Fatalf("the text is %q", got)
		}
		if v.scripts {
			v.WaitText("[data-sms-visning]", "Møt kl. ti.")
		}
		v.look("sms-template-filled-" + v.mode())
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantText("#tekst-s", "Bytt ut flettefeltet ((fornavn)) i teksten")
		v.Fill("#tekst", strings.Replace(v.Value("#tekst"), "((fornavn))", "Ola", 1))
		v.ClickText("main .panel-foot button", "Se over og send")
		v.wantHeading("Se over og send")
		v.ClickText("button", "Send SMS")
		v.wantText("[role=status]", "Meldingen er tatt imot for sending")
		it, err := items.In(s.store).SMS.ByID(t.Context(), s.oppvekst.ID, v.itemID())
		if err != nil || it.Text != "Hei Ola. Møt kl. ti." || it.Template.Version != 2 || it.Template.Form != dispatch.FormNynorsk {
			t.Errorf("sent %v of template %v, %v", it.State, it.Template, err)
		}
	}
}

// mode is part of the names of pictures.
func (v *visitor) mode() string {
	if v.scripts {
		return "script"
	}
	return "plain"
}

func (s *stack) writesTemplate(t *testing.T, b *browsertest.Browser, o browsertest.PageOptions) {
	t.Helper()
	v := s.as(t, b, o, "ingrid")
	v.Go("/k/oppvekst/maler")
	v.glance("templates-none-" + v.mode())
	v.ClickText("a", "Ny mal")
	v.ClickText("main .panel-foot button", "Lagre malen")
	v.wantText(".ds-error-summary", "Du må rette to feil først")
	v.Fill("#navn", "Påminnelse")
	v.Fill("#tekst", "Hei ((fornavn)). Møt kl. 10 – velkommen.")
	if v.scripts {
		v.WaitText("#sms-linje", "((fornavn))")
		v.WaitText("#sms-varsel", "–")
	}
	v.look("template-form-" + v.mode())
	v.ClickText("main .panel-foot button", "Lagre malen")
	v.wantHeading("Påminnelse")
	v.ClickText("a", "Endre malen")
	v.Fill("#tekst", "Hei ((fornavn)). Møt kl. ti.")
	v.Fill("#nynorsk", "Hei ((fornavn)). Møt kl. ti.")
	v.ClickText("main .panel-foot button", "Lagre malen")
	v.wantText("ins", "ti")
	v.glance("template-" + v.mode())
	v.ClickText("a", "Versjon 1")
	v.wantHeading("Påminnelse, versjon 1")
	v.glance("template-older-" + v.mode())
	v.Go("/k/oppvekst/maler")
	v.glance("templates-" + v.mode())
}
