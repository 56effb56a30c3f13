package shipmentv2

import (
	"cmp"
	"net/http"
	"strconv"
	"time"
	"utsending/internal/clients/simulator"
)

// later is a field of a future version of V2; see Options.Ahead.
type later struct {
	New *laterField `json:"nyttFelt,omitempty"`
}

type laterField struct {
	Value string `json:"verdi"`
}

// sent is SendForsendelseResponse.
type sent struct {
	ID string `json:"id"`
	later
}

// documents is ForsendelseMetadata.
type documents struct {
	Documents []document `json:"dokumenter"`
	later
}

// document is DokumentMetadata.
type document struct {
	FileName    string            `json:"filnavn"`
	MimeType    string            `json:"mimeType"`
	Type        string            `json:"dokumentType"`
	Size        int64             `json:"storrelse"`
	SHA256      string            `json:"sha256Hash"`
	DownloadURL string            `json:"nedlasningUrl"`
	CanBeSigned bool              `json:"kanSigneres"`
	SigningURL  string            `json:"signeringUrl,omitempty"`
	Extra       []simulator.Entry `json:"ekstraMetadata,omitempty"`
	Sensitive   *bool             `json:"inneholderPersonsensitivInformasjon,omitempty"`
	later
}

// events is Hendelser, and Signeringshendelser.
type events struct {
	Events []event `json:"hendelser"`
	later
}

// event is Hendelse and, with a status, Signeringshendelse.
type event struct {
	At     string `json:"tidspunkt"`
	Status string `json:"status,omitempty"`
	Text   string `json:"hendelse"`
	later
}

// markRead is the body of lest.
type markRead struct {
	NationalID string `json:"fnr"`
	At         string `json:"tidspunkt"`
	System     string `json:"eksterntSystemnavn"`
}

func (s service) registerReads() {
	const path = base + "/forsendelser/{forsendelseId}"
	read := func(rest, name string, h func(*simulator.Exchange, simulator.Booked)) {
		s.Mux.HandleFunc("GET "+path+rest, s.operation(name, func(x *simulator.Exchange) {
			if b, ok := shipment(x); ok {
				h(x, b)
			}
		}))
	}
	read("/hendelser", OpHistory, s.shipmentHistory)
	read("/signeringshendelser", OpSigningHistory, s.signingHistory)
	read("/metadata", OpDocuments, s.documents)
	s.Mux.HandleFunc("POST "+path+"/lest", s.operation(OpMarkRead, s.markRead))
	s.Mux.HandleFunc("DELETE "+path+"/dokumenter", s.operation(OpDeleteDocuments, s.deleteDocuments))
}

// later is empty unless Options.Ahead is set.
func (s service) later() later {
	if !s.Options.Ahead {
		return later{}
	}
	return later{New: &laterField{Value: "ukjent"}}
}

// isoTime formats a time with the offset of Europe/Oslo.
func (s service) isoTime(t time.Time) string { return t.In(s.Oslo).Format(time.RFC3339Nano) }

func (s service) shipmentHistory(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		all := events{Events: []event{}, later: s.later()}
		for _, m := range s.Moments(b) {
			for _, text := range m.Events {
				all.Events = append(all.Events, event{At: s.isoTime(m.At), Text: text, later: s.later()})
			}
		}
		return all
	})
}

func (s service) signingHistory(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		all := events{Events: []event{}, later: s.later()}
		for _, line := range b.Signatures(s.Options.Now(), s.Options.Pace, s.Oslo) {
			all.Events = append(all.Events, event{
				At: s.isoTime(line.At), Status: line.Status, Text: line.Event, later: s.later(),
			})
		}
		return all
	})
}

// documents answers an empty list when documents are deleted.
//
// Assumption: whichever documents were deleted; what the service lists then is not known.
func (s service) documents(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		all := documents{Documents: []document{}, later: s.later()}
		if b.FilesDeleted {
			return all
		}
		for i := range b.Documents {
			all.Documents = append(all.Documents, s.describe(b, i, x.Origin()+"forsendelse/"+b.ID+"/"))
		}
		return all
	})
}

// describe is the metadata of one document. The addresses are made up; nothing answers there.
func (s service) describe(b simulator.Booked, i int, base string) document {
	d, f := b.Documents[i], b.Fields.Files[i]
	m := document{
		FileName: d.FileName, MimeType: d.MimeType, Size: d.Size, SHA256: d.SHA256, CanBeSigned: f.Sign,
		DownloadURL: base + strconv.Itoa(i+1), Extra: f.Extra, Sensitive: f.Sensitive, later: s.later(),
	}
	if f.Kind != nil {
		m.Type = *f.Kind
	}
	if f.Sign {
		m.SigningURL = base + "signer"
	}
	return m
}

// markRead sets LEST, as V1's does.
func (s service) markRead(x *simulator.Exchange) {
	b, ok := shipment(x)
	if !ok {
		return
	}
	var in markRead
	if !x.Decode(&in) {
		return
	}
	on, err := time.Parse(time.RFC3339, in.At)
	switch {
	case !simulator.IsNumber(in.NationalID, 11):
		x.Invalid("fnr is not eleven digits")
		return
	case err != nil:
		x.Invalid("tidspunkt is not ISO 8601 with an offset")
		return
	}
	x.Success = http.StatusNoContent
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		r := simulator.Reading{At: s.Options.Now(), On: on, By: in.NationalID, System: in.System}
		s.ChangeShipment(b.ID, func(b *simulator.Booked) {
			b.Readings = append(b.Readings, r)
			b.ReadBy, b.ReadSystem, b.ReadAt = r.By, r.System, r.On
		})
		return nil
	})
}

// deleteDocuments deletes the documents of a shipment; the shipment stays.
func (s service) deleteDocuments(x *simulator.Exchange) {
	b, ok := shipment(x, "slettetype")
	if !ok {
		return
	}
	how := "ORIGINALDOKUMENTER"
	if q := x.Request.URL.Query(); q.Has("slettetype") {
		how = q.Get("slettetype")
	}
	if how != "ORIGINALDOKUMENTER" && how != "ALLE" {
		x.Invalid("slettetype is neither ORIGINALDOKUMENTER nor ALLE")
		return
	}
	x.Success = http.StatusNoContent
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		s.ChangeShipment(b.ID, func(b *simulator.Booked) { b.FilesDeleted, b.DeletedHow = true, how })
		return nil
	})
}

// status is the last status of a shipment, and since when.
func (s service) status(b simulator.Booked, fault simulator.Fault) (string, time.Time) {
	last := simulator.Latest(s.Moments(b))
	status := last.Status
	if s.Options.Ahead {
		status = cmp.Or(map[string]string{simulator.ShipmentNotified: "SENDT_ALTINN"}[status], status)
	}
	if fault == simulator.NewStatus {
		status = simulator.StatusNew
	}
	return status, last.At
}
