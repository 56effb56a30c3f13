// Package seeds generates items that an account may have sent over years, for development and benchmarks. All people are made up.
package seeds

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// years is how far back the items go.
const years = 3

// Items generates n items sent by these users until that time, oldest first. Three quarters are shipments. The same n gives the
// same items. All are settled.
func Items(n int, by []dispatch.UserID, until time.Time) func() (items.Filled, bool) {
	m := maker{rand.New(rand.NewPCG(1, uint64(n)))}
	step := years * 365 * 24 * time.Hour / time.Duration(max(n, 1))
	made := 0
	return func() (items.Filled, bool) {
		if made == n {
			return items.Filled{}, false
		}
		made++
		f := items.Filled{At: until.Add(-step * time.Duration(n-made)), By: pick(m, by)}
		m.fill(&f)
		return f, true
	}
}

// maker generates values.
type maker struct{ *rand.Rand }

func pick[T any](m maker, list []T) T { return list[m.IntN(len(list))] }

func (m maker) fill(f *items.Filled) {
	f.State = dispatch.StateAccepted
	if m.IntN(4) == 0 {
		f.SMS = &dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: dispatch.Phone(fmt.Sprintf("9%07d", m.IntN(1e7)))}, Text: pick(m, texts)}
		f.Status = m.status(dispatch.StatusDelivered, dispatch.StatusNotDelivered)
	} else {
		f.Shipment = m.shipment()
		f.Status = m.status(pick(m, arrived), dispatch.StatusDismissed)
		if m.IntN(50) == 0 {
			f.Shipment.SignBy, f.Signing = f.At.AddDate(0, 0, 14), dispatch.SigningDone
		}
	}
	if m.IntN(100) == 0 {
		f.State, f.Status = dispatch.StateCancelled, ""
	}
}

// status is usually most, and rare for one in a hundred.
func (m maker) status(most, rare dispatch.Status) dispatch.Status {
	if m.IntN(100) < 2 {
		return rare
	}
	return most
}

func (m maker) shipment() *dispatch.Shipment {
	h := &dispatch.Shipment{Title: pick(m, titles), SourceSystem: "Utsending", DigitalOnly: m.IntN(5) == 0}
	h.Recipient.Postal = dispatch.PostalAddress{Name: m.name(), Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}
	h.Recipient.Digital.NationalID = m.nationalID()
	if m.IntN(2) == 0 {
		h.ExternalReference = fmt.Sprintf("%d/%d", 2024+m.IntN(3), m.IntN(20_000))
	}
	if m.IntN(3) > 0 {
		h.BillingCode = fmt.Sprintf("ENHET-%d", m.IntN(40))
	}
	if m.IntN(4) == 0 {
		h.Type = pick(m, types)
	}
	return h
}

// nationalID is a synthetic number: month + 80. Its check digits may be wrong.
func (m maker) nationalID() dispatch.NationalID {
	return dispatch.NationalID(fmt.Sprintf("%02d%02d%02d%05d", 1+m.IntN(28), 81+m.IntN(12), m.IntN(100), m.IntN(100_000)))
}

// name is a first name, sometimes two, and a last name.
func (m maker) name() string {
	name := pick(m, firstNames)
	if m.IntN(6) == 0 {
		name += pick(m, []string{" ", "-"}) + pick(m, firstNames)
	}
	return name + " " + m.lastName()
}

// lastName is one of 30,400 last names; some are common, most are rare.
func (m maker) lastName() string {
	i := m.IntN(Words)
	if m.IntN(3) == 0 {
		i = m.IntN(300)
	}
	return LastName(i)
}

// Words is the number of different last names.
const Words = len20 * 19 * len80

const (
	len20 = 20
	len80 = 80
)

// LastName is one of the last names.
func LastName(i int) string {
	onset, rest := onsets[i%len20], i/len20
	middle, end := middles[rest%19], ends[rest/19%len80]
	r := []rune(onset + middle + end)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

var (
	onsets  = [len20]string{"b", "bj", "br", "d", "f", "g", "gr", "h", "k", "kr", "l", "m", "n", "r", "s", "sk", "st", "t", "v", "hv"}
	middles = [19]string{"ar", "erk", "il", "ol", "und", "yl", "ær", "ørk", "ås", "al", "enn", "ind", "ost", "ull", "æl", "øv", "ål", "eid", "aug"}
	ends    = makeEnds()
)

// makeEnds combines the last syllables of names with common first ones.
func makeEnds() (all [len80]string) {
	tails := []string{"haug", "vik", "stad", "moen", "dal", "berg", "nes", "rud", "land", "lien", "bø", "ås", "seth", "gård", "sen", "heim", "bakken", "sæter", "øy", "strand"}
	for i := range all {
		all[i] = []string{"", "s", "e", "er"}[i/len(tails)] + tails[i%len(tails)]
	}
	return all
}

var firstNames = []string{
	"Ola", "Kari", "Åse", "Bjørn", "Øystein", "Ingrid", "Håkon", "Sølvi", "Amir", "Fatima", "Per", "Anne", "Mari", "Jonas", "Nora", "Emil", "Ærlend", "Torbjørn",
	"Liv", "Eva", "Hans", "Berit", "Astrid", "Knut", "Lars", "Marit", "Solveig", "Tor", "Unni", "Vigdis", "Yngve", "Zahra", "Ánte", "Máret", "Niillas", "Sára",
	"Aksel", "Birgit", "Carl", "Dagny", "Einar", "Frida", "Geir", "Hilde", "Ivar", "Jorunn", "Kjell", "Lene", "Magnus", "Nina", "Oddvar", "Petra", "Ragnhild", "Sigurd",
	"Turid", "Ulrik", "Vilde", "Wenche", "Østen", "Åshild",
}

var (
	texts   = []string{"Hei. Timen din er flyttet til torsdag kl. 12.00.", "Skolen er stengt i dag.", "Husk tannlegetimen i morgen."}
	types   = []string{"Vedtak", "Faktura", "Innkalling"}
	arrived = []dispatch.Status{dispatch.StatusRead, dispatch.StatusPrinted, dispatch.StatusDeliveredToMailbox}
	titles  = []string{
		"Vedtak om skoleskyss", "Svar på søknad om barnehageplass", "Foreløpig svar", "Innkalling til møte", "Vedtak om redusert foreldrebetaling", "Melding om feiing",
		"Tilbud om plass i SFO", "Varsel om stengt vann", "Kopi av journal", "Byggesak: rammetillatelse", "Nabovarsel", "Vedtak om støttekontakt", "Faktura for eiendomsskatt",
		"Innkalling til helsekontroll", "Tildeling av kommunal bolig", "Skjenkebevilling", "Svar på klage", "Vedtak om spesialundervisning", "Orientering om valg", "Avslag på søknad",
	}
)
