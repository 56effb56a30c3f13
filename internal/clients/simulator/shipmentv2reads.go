package simulator

import (
	"cmp"
	"net/http"
	"strconv"
	"time"
)

// later is a field that no version of V2 known today has; see Options.Ahead.
type later struct {
	New *laterField `json:"nyttFelt,omitempty"`
}

type laterField struct {
	Value string `json:"verdi"`
}

// sentV2 is SendForsendelseResponse.
type sentV2 struct {
	ID string `json:"id"`
	later
}

// documentsV2 is ForsendelseMetadata.
type documentsV2 struct {
	Documents []documentV2 `json:"dokumenter"`
	later
}

// documentV2 is DokumentMetadata.
type documentV2 struct {
	FileName    string  `json:"filnavn"`
	MimeType    string  `json:"mimeType"`
	Type        string  `json:"dokumentType"`
	Size        int64   `json:"storrelse"`
	SHA256      string  `json:"sha256Hash"`
	DownloadURL string  `json:"nedlasningUrl"`
	CanBeSigned bool    `json:"kanSigneres"`
	SigningURL  string  `json:"signeringUrl,omitempty"`
	Extra       []entry `json:"ekstraMetadata,omitempty"`
	Sensitive   *bool   `json:"inneholderPersonsensitivInformasjon,omitempty"`
	later
}

// eventsV2 is Hendelser, and Signeringshendelser.
type eventsV2 struct {
	Events []eventV2 `json:"hendelser"`
	later
}

// eventV2 is Hendelse and, with a status, Signeringshendelse.
type eventV2 struct {
	At     string `json:"tidspunkt"`
	Status string `json:"status,omitempty"`
	Text   string `json:"hendelse"`
	later
}

// markReadV2 is the body of lest.
type markReadV2 struct {
	NationalID string `json:"fnr"`
	At         string `json:"tidspunkt"`
	System     string `json:"eksterntSystemnavn"`
}

func (s *Simulator) registerReadsV2() {
	const shipment = baseV2 + "/forsendelser/{forsendelseId}"
	read := func(path, name string, h func(*exchange, booked)) {
		s.mux.HandleFunc("GET "+shipment+path, s.operationV2(name, func(x *exchange) {
			if b, ok := x.shipmentV2(); ok {
				h(x, b)
			}
		}))
	}
	read("/hendelser", OpV2History, s.shipmentHistoryV2)
	read("/signeringshendelser", OpV2SigningHistory, s.signingHistoryV2)
	read("/metadata", OpV2Documents, s.documentsV2)
	s.mux.HandleFunc("POST "+shipment+"/lest", s.operationV2(OpV2MarkRead, s.markReadV2))
	s.mux.HandleFunc("DELETE "+shipment+"/dokumenter", s.operationV2(OpV2DeleteDocuments, s.deleteDocumentsV2))
}

// later is empty unless the options say otherwise.
func (s *Simulator) later() later {
	if !s.options.Ahead {
		return later{}
	}
	return later{New: &laterField{Value: "ukjent"}}
}

// isoTime writes a time with the offset of Europe/Oslo.
func (s *Simulator) isoTime(t time.Time) string { return t.In(s.oslo).Format(time.RFC3339Nano) }

func (s *Simulator) shipmentHistoryV2(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		all := eventsV2{Events: []eventV2{}, later: s.later()}
		for _, m := range s.moments(b) {
			for _, text := range m.events {
				all.Events = append(all.Events, eventV2{At: s.isoTime(m.at), Text: text, later: s.later()})
			}
		}
		return all
	})
}

func (s *Simulator) signingHistoryV2(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		all := eventsV2{Events: []eventV2{}, later: s.later()}
		for _, line := range b.signatures(s.options.Now(), s.options.Pace, s.oslo) {
			all.Events = append(all.Events, eventV2{
				At: s.isoTime(line.at), Status: line.status, Text: line.event, later: s.later(),
			})
		}
		return all
	})
}

// documentsV2 answers an empty list when the documents are deleted.
//
// Assumption: whichever documents were deleted; what the service lists then is not known.
func (s *Simulator) documentsV2(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		all := documentsV2{Documents: []documentV2{}, later: s.later()}
		if b.FilesDeleted {
			return all
		}
		for i := range b.Documents {
			all.Documents = append(all.Documents, s.describeV2(b, i, x.origin()+"forsendelse/"+b.ID+"/"))
		}
		return all
	})
}

// describeV2 tells of one document. The addresses are made up; nothing answers there.
func (s *Simulator) describeV2(b booked, i int, base string) documentV2 {
	d, f := b.Documents[i], b.letter.files[i]
	m := documentV2{
		FileName: d.FileName, MimeType: d.MimeType, Size: d.Size, SHA256: d.SHA256, CanBeSigned: f.sign,
		DownloadURL: base + strconv.Itoa(i+1), Extra: f.extra, Sensitive: f.sensitive, later: s.later(),
	}
	if f.kind != nil {
		m.Type = *f.kind
	}
	if f.sign {
		m.SigningURL = base + "signer"
	}
	return m
}

// markReadV2 sets LEST, as markRead does.
func (s *Simulator) markReadV2(x *exchange) {
	b, ok := x.shipmentV2()
	if !ok {
		return
	}
	var in markReadV2
	if !x.decode(&in) {
		return
	}
	on, err := time.Parse(time.RFC3339, in.At)
	switch {
	case !isNumber(in.NationalID, 11):
		x.invalid("fnr is not eleven digits")
		return
	case err != nil:
		x.invalid("tidspunkt is not ISO 8601 with an offset")
		return
	}
	x.success = http.StatusNoContent
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		r := reading{at: s.options.Now(), on: on, by: in.NationalID, system: in.System}
		s.changeShipment(b.ID, func(b *booked) {
			b.readings = append(b.readings, r)
			b.ReadBy, b.ReadSystem, b.ReadAt = r.by, r.system, r.on
		})
		return nil
	})
}

// deleteDocumentsV2 takes the documents of a shipment away; the shipment stays.
func (s *Simulator) deleteDocumentsV2(x *exchange) {
	b, ok := x.shipmentV2("slettetype")
	if !ok {
		return
	}
	how := "ORIGINALDOKUMENTER"
	if q := x.r.URL.Query(); q.Has("slettetype") {
		how = q.Get("slettetype")
	}
	if how != "ORIGINALDOKUMENTER" && how != "ALLE" {
		x.invalid("slettetype is neither ORIGINALDOKUMENTER nor ALLE")
		return
	}
	x.success = http.StatusNoContent
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		s.changeShipment(b.ID, func(b *booked) { b.FilesDeleted, b.DeletedHow = true, how })
		return nil
	})
}

// statusV2 is the last status of a shipment, and since when.
func (s *Simulator) statusV2(b booked, fault Fault) (string, time.Time) {
	last := latest(s.moments(b))
	status := last.status
	if s.options.Ahead {
		status = cmp.Or(map[string]string{shipmentNotified: "SENDT_ALTINN"}[status], status)
	}
	if fault == NewStatus {
		status = statusNew
	}
	return status, last.at
}
