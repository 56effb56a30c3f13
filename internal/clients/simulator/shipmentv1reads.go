package simulator

import (
	"net/http"
	"strconv"
	"time"
)

// statusV1 is ForsendelsesStatus.
type statusV1 struct {
	ShipmentID idRecord `json:"forsendelsesId"`
	Changed    int64    `json:"sisteStatusEndring"`
	Status     string   `json:"status"`
}

// documentMetadataV1 is DokumentMetadata.
type documentMetadataV1 struct {
	MimeType    string  `json:"mimeType"`
	FileName    string  `json:"filnavn"`
	CanBeSigned bool    `json:"kanSigneres"`
	Size        int64   `json:"sizeInBytes"`
	SHA256      string  `json:"sha256hash"`
	Type        *string `json:"dokumentType"`
	DownloadURL string  `json:"nedlasningsUrl"`
	SigningURL  *string `json:"signeringsUrl"`
	Extra       []entry `json:"ekstraMetadata"`
	Sensitive   *bool   `json:"inneholderPersonsensitivInformasjon"`
}

// historyV1 is ForsendelsesHistorikk.
type historyV1 struct {
	Events []eventV1 `json:"hendelsesLogger"`
}

// eventV1 is HendelsesLogg.
type eventV1 struct {
	At   string `json:"tidspunkt"`
	Text string `json:"hendelse"`
}

// signingHistoryV1 is SigneringsHistorikk.
type signingHistoryV1 struct {
	ShipmentID idRecord    `json:"forsendelsesId"`
	Log        []signingV1 `json:"logg"`
}

// signingV1 is SigneringsLogg.
type signingV1 struct {
	At   any    `json:"tidspunkt"` // milliseconds by the specification, text from the deployed service
	Type string `json:"type"`
	Text string `json:"hendelse"`
}

func (s *Simulator) registerReadsV1(mux *http.ServeMux) {
	read := func(name string, h func(*exchange, booked)) {
		mux.HandleFunc("GET "+baseV1+"/{id}/"+name, s.operationV1(name, func(x *exchange) {
			if b, ok := x.shipment(); ok {
				h(x, b)
			}
		}))
	}
	read(OpShipmentStatus, s.shipmentStatus)
	read(OpDocumentMetadata, s.documentMetadata)
	read(OpShipmentHistory, s.shipmentHistory)
	read(OpSigningHistory, s.signingHistory)
	mux.HandleFunc("POST "+baseV1+"/statuser", s.operationV1(OpShipmentStatuses, s.shipmentStatuses))
	mux.HandleFunc("POST "+baseV1+"/{id}/settLest", s.operationV1(OpMarkRead, s.markRead))
	mux.HandleFunc("GET "+baseV1+"/forsendelseTyper", s.operationV1(OpShipmentTypes, s.shipmentTypes))
	if s.options.Wire == WireDeployed {
		mux.HandleFunc("POST "+baseV1+"/slettFiler", s.operationV1(OpDeleteFiles, s.deleteFiles))
	}
}

// shipment finds what the path asks for, and checks what else the request says.
func (x *exchange) shipment() (booked, bool) {
	id, ok := x.shipmentID()
	if !ok || !x.checkShape() {
		return booked{}, false
	}
	b, ok := x.s.findShipment(x.accountID, id)
	if !ok {
		x.fail(http.StatusNotFound)
		return b, false
	}
	x.setRecipient(b.Title)
	return b, true
}

// list wraps a list as the deployed service does.
func (s *Simulator) list(name string, items any) any {
	if s.options.Wire == WireDeployed {
		return map[string]any{name: items}
	}
	return items
}

func (s *Simulator) moments(b booked) []moment {
	return b.moments(s.options.Now(), s.options.Pace, s.oslo)
}

func (s *Simulator) statusOf(b booked, fault Fault) statusV1 {
	last := latest(s.moments(b))
	if fault == NewStatus {
		last.status = statusNew
	}
	return statusV1{ShipmentID: idRecord{ID: b.ID}, Changed: last.at.UnixMilli(), Status: last.status}
}

func (s *Simulator) shipmentStatus(x *exchange, b booked) {
	fault := x.decide(b.Title, b.words.read)
	x.play(fault, func(bool) any { return s.statusOf(b, fault) })
}

// documentMetadata answers an empty list for an id that is only reserved, and when the files are deleted.
func (s *Simulator) documentMetadata(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		all := []documentMetadataV1{}
		if b.FilesDeleted {
			return s.list("dokumentMetadata", all)
		}
		for i, d := range b.Documents {
			all = append(all, b.describe(i, d, "http://"+x.r.Host+"/forsendelse/"+b.ID+"/"))
		}
		return s.list("dokumentMetadata", all)
	})
}

// describe tells of one document. The addresses are made up; nothing answers there.
func (b booked) describe(i int, d Document, base string) documentMetadataV1 {
	f := b.letter.files[i]
	m := documentMetadataV1{
		MimeType: d.MimeType, FileName: d.FileName, CanBeSigned: f.sign, Size: d.Size, SHA256: d.SHA256, Type: f.kind,
		DownloadURL: base + strconv.Itoa(i+1), Extra: f.extra, Sensitive: f.sensitive,
	}
	if f.sign {
		m.SigningURL = new(base + "signer")
	}
	return m
}

func (s *Simulator) shipmentHistory(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		history := historyV1{Events: []eventV1{}}
		for _, m := range s.moments(b) {
			for _, text := range m.events {
				history.Events = append(history.Events, eventV1{At: s.logTime(m.at), Text: text})
			}
		}
		return history
	})
}

func (s *Simulator) logTime(t time.Time) string { return t.In(s.oslo).Format(logTime) }

// signingHistory tells types by their old names and times as text on the deployed wire (upstream-facts, section 2.1).
func (s *Simulator) signingHistory(x *exchange, b booked) {
	x.play(x.decide(b.Title, NoFault), func(bool) any {
		history := signingHistoryV1{ShipmentID: idRecord{ID: b.ID}, Log: []signingV1{}}
		for _, line := range b.signatures(s.options.Now(), s.options.Pace, s.oslo) {
			entry := signingV1{At: line.at.UnixMilli(), Type: line.status, Text: line.event}
			if s.options.Wire == WireDeployed {
				entry.At, entry.Type = s.logTime(line.at), line.old
			}
			history.Log = append(history.Log, entry)
		}
		return history
	})
}
