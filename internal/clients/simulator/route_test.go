package simulator_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	organization := map[string]any{"organisasjonsNummer": map[string]any{"id": employer}}
	digital := func() *draft { return newDraft().set("kunDigitalLevering", true) }
	tests := map[string]struct {
		draft *draft
		want  string // after MOTTATT
	}{
		"a person":                           {newDraft(), "AKSEPTERT VARSLET LEST"},
		"an organisation":                    {newDraft().set("mottaker.digitalAdresse", organization), "AKSEPTERT VARSLET LEST"},
		"a person, digital only":             {digital(), "AKSEPTERT VARSLET SENDT_DIGITALT"},
		"nobody known":                       {newDraft().set("mottaker.digitalAdresse", nil), "AKSEPTERT SENDT_PRINT PRINTET"},
		"nobody known, digital only":         {digital().set("mottaker.digitalAdresse", nil), "AKSEPTERT IKKE_LEVERT IKKE_LEVERT"},
		"[lest]":                             {digital().titled("x [lest]"), "AKSEPTERT VARSLET LEST"},
		"[sdp]":                              {newDraft().titled("[SDP] x"), "AKSEPTERT SENDT_SDP LEVERT_SDP"},
		"[print]":                            {newDraft().titled("[print]"), "AKSEPTERT SENDT_PRINT PRINTET"},
		"[lesefrist]":                        {newDraft().titled("[lesefrist]"), "AKSEPTERT VARSLET SENDT_PRINT PRINTET"},
		"[lest etter print]":                 {newDraft().titled("[lest etter print]"), "AKSEPTERT VARSLET SENDT_PRINT LEST"},
		"[klar]":                             {newDraft().titled("[klar]"), "AKSEPTERT KLAR_FOR_MOTTAK LEST"},
		"[digitalt]":                         {newDraft().titled("[digitalt]"), "AKSEPTERT VARSLET SENDT_DIGITALT"},
		"[ikke levert]":                      {digital().titled("[ikke levert]"), "AKSEPTERT IKKE_LEVERT IKKE_LEVERT"},
		"[ikke levert], or on paper":         {newDraft().titled("[ikke levert]"), "AKSEPTERT SENDT_PRINT PRINTET"},
		"[manuelt]":                          {newDraft().titled("[manuelt]"), "AKSEPTERT MANUELT_HANDTERT MANUELT_HANDTERT"},
		"[avvist]":                           {newDraft().titled("[avvist]"), "AVVIST AVVIST"},
		"[ny verdi]":                         {newDraft().titled("[ny verdi]"), "AKSEPTERT NY_VERDI NY_VERDI"},
		"[feilet]":                           {newDraft().titled("[feilet]"), "AVVIST AVVIST"},
		"[slettet]":                          {newDraft().titled("[slettet]"), "AKSEPTERT VARSLET LEST LEST"},
		"[lest] before [print] in one title": {newDraft().titled("[print][lest]"), "AKSEPTERT VARSLET LEST"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id := g.shipped(t, tt.draft)
			g.clock.advance(-time.Hour)
			if got := g.shipmentStatus(t, id); got != "MOTTATT" {
				t.Errorf("got %s when the clock went back, want MOTTATT", got)
			}
			g.clock.advance(time.Hour + pace - 1)
			got := []string{g.shipmentStatus(t, id)}
			for range strings.Fields(tt.want) {
				g.clock.advance(1)
				got = append(got, g.shipmentStatus(t, id))
				g.clock.advance(pace - 1)
			}
			if want := strings.Fields("MOTTATT " + tt.want); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			last := got[len(got)-1]
			g.clock.advance(100 * pace)
			if got := g.shipmentStatus(t, id); got != last {
				t.Errorf("got %s much later, want %s", got, last)
			}
		})
	}
}

func TestEventsOfRoutes(t *testing.T) {
	t.Parallel()
	start := []string{
		"Mottatt, og tildelt forsendelse-id", "Metadata er validert OK", "Orginaldokumenter er lagret (1 dokument)",
		"Forsendelsesfil generert", "Akseptert for ekspedering",
	}
	const (
		known    = "Mottaker 02013299997 er registert i kontaktregister, men har ikke registrert postkasse."
		notified = "Varsling sent til Altinn. Forsendelsen vil ettersendes som brevpost dersom den ikke blir lest innen utløp av lesefristen. Lesefristen utløper etter 2 timer."
	)
	organization := map[string]any{"organisasjonsNummer": map[string]any{"id": employer}}
	for name, tt := range map[string]struct {
		draft *draft
		want  []string // after start
	}{
		"read":              {newDraft(), []string{known, notified, "Lest av 02013299997"}},
		"an organisation":   {newDraft().set("mottaker.digitalAdresse", organization), []string{notified, "Lest av 987654325"}},
		"deadline passed":   {newDraft().titled("[lesefrist]"), []string{known, notified, "Lesefrist utløpt.", "Sendt til manuell print", "Utskrift bekreftet"}},
		"straight to print": {newDraft().titled("[print]"), []string{"Sendt til manuell print", "Utskrift bekreftet"}},
		"digital only": {
			newDraft().set("kunDigitalLevering", true),
			[]string{known, "Varsling sent til Altinn.", "Lesefrist utløpt.", "Sendt digitalt"},
		},
		"mailbox":       {newDraft().titled("[sdp]"), []string{"Sendt til sikker digital postkasse", "Leveringskvittering mottatt fra sikker digital postkasse"}},
		"ready":         {newDraft().titled("[klar]"), []string{"Klar for mottak hos 02013299997", "Lest av 02013299997"}},
		"not delivered": {newDraft().set("kunDigitalLevering", true).titled("[ikke levert]"), []string{"Forsendelsen kunne ikke leveres digitalt"}},
		"by hand":       {newDraft().titled("[manuelt]"), []string{"Satt manuelt håndtert"}},
		"a new value":   {newDraft().titled("[ny verdi]"), []string{"Status endret til NY_VERDI"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			id := g.shipped(t, tt.draft)
			g.clock.advance(10 * pace)
			if got, want := g.history(t, id), slices.Concat(start, tt.want); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestLogsTellTimeInOslo(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ now, want string }{
		"in winter":               {"2026-01-31T23:30:00Z", "01.02.2026 00:30:00"},
		"in summer":               {"2026-07-01T12:00:00Z", "01.07.2026 14:00:00"},
		"when summer time begins": {"2026-03-29T01:00:00Z", "29.03.2026 03:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newRig(t, simulator.Options{})
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			g.clock.advance(now.Sub(g.clock.Now()))
			if got := g.get(t, g.shipped(t, newDraft())+"/historikk").body; !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %s in it", got, tt.want)
			}
		})
	}
}

func TestSigning(t *testing.T) {
	t.Parallel()
	tests := map[string]inWires{
		"Vedtak":              {"VENTER_SIGNERING VENTER_SIGNERING SIGNERT_AV_MOTTAKER", "Registrert Startet Fullfort"},
		"[avviser signering]": {"VENTER_SIGNERING VENTER_SIGNERING AVVIST_AV_MOTTAKER", "Registrert Startet AvvistAvMottaker"},
		"[utløper]":           {"VENTER_SIGNERING  UTLOPT", "Registrert  Utlopt"},
		"[avvist signering]":  {"AVVIST_AV_SVARUT", "AVVIST_AV_SVARUT"},
		"[avvist]":            {"AVVIST_AV_SVARUT", "AVVIST_AV_SVARUT"},
	}
	eachWire(t, func(t *testing.T, wire string) {
		for title, want := range tests {
			t.Run(title, func(t *testing.T) {
				t.Parallel()
				g := newRig(t, simulator.Options{Wire: wire})
				id := g.shipped(t, newDraft().signed(g.clock.Now()).titled(title))
				lines := strings.Split(want.of(wire), " ")
				for n := range len(lines) + 2 {
					seen := strings.Fields(strings.Join(lines[:min(n, len(lines))], " "))
					if got := g.signing(t, id); !slices.Equal(got, seen) {
						t.Errorf("got %q after %d steps, want %q", got, n, seen)
					}
					g.clock.advance(pace)
				}
			})
		}
	})
	t.Run("of a shipment that is not to be signed is empty", func(t *testing.T) {
		t.Parallel()
		g := newRig(t, simulator.Options{})
		id := g.shipped(t, newDraft())
		g.clock.advance(10 * pace)
		if got := g.signing(t, id); got != nil {
			t.Errorf("got %q, want nothing", got)
		}
	})
}

// signing lists the types of the signing log, without what the old ones have in common.
func (g *rig) signing(t *testing.T, id string) []string {
	t.Helper()
	var got struct {
		Log []struct {
			Type string `json:"type"`
		} `json:"logg"`
	}
	g.get(t, id+"/signeringhistorikk").read(t, &got)
	var types []string
	for _, line := range got.Log {
		types = append(types, strings.TrimPrefix(line.Type, "Signeringsoppdrag"))
	}
	return types
}
