package shipmentv1

import (
	"net/http"
	"strconv"
	"time"
	"utsending/internal/clients/simulator"
)

// status is ForsendelsesStatus.
type status struct {
	ShipmentID idRecord `json:"forsendelsesId"`
	Changed    int64    `json:"sisteStatusEndring"`
	Status     string   `json:"status"`
}

// documentMetadata is DokumentMetadata.
type documentMetadata struct {
	MimeType    string            `json:"mimeType"`
	FileName    string            `json:"filnavn"`
	CanBeSigned bool              `json:"kanSigneres"`
	Size        int64             `json:"sizeInBytes"`
	SHA256      string            `json:"sha256hash"`
	Type        *string           `json:"dokumentType"`
	DownloadURL string            `json:"nedlasningsUrl"`
	SigningURL  *string           `json:"signeringsUrl"`
	Extra       []simulator.Entry `json:"ekstraMetadata"`
	Sensitive   *bool             `json:"inneholderPersonsensitivInformasjon"`
}

// history is ForsendelsesHistorikk.
type history struct {
	Events []event `json:"hendelsesLogger"`
}

// event is HendelsesLogg.
type event struct {
	At   string `json:"tidspunkt"`
	Text string `json:"hendelse"`
}

// signingHistory is SigneringsHistorikk.
type signingHistory struct {
	ShipmentID idRecord  `json:"forsendelsesId"`
	Log        []signing `json:"logg"`
}

// signing is SigneringsLogg.
type signing struct {
	At   any    `json:"tidspunkt"` // milliseconds by the specification, text from the deployed service
	Type string `json:"type"`
	Text string `json:"hendelse"`
}

func (s service) registerReads(mux *http.ServeMux) {
	read := func(name string, h func(*simulator.Exchange, simulator.Booked)) {
		mux.HandleFunc("GET "+base+"/{id}/"+name, s.operation(name, func(x *simulator.Exchange) {
			if b, ok := shipment(x); ok {
				h(x, b)
			}
		}))
	}
	read(OpShipmentStatus, s.shipmentStatus)
	read(OpDocumentMetadata, s.documentMetadata)
	read(OpShipmentHistory, s.shipmentHistory)
	read(OpSigningHistory, s.signingHistory)
	mux.HandleFunc("POST "+base+"/statuser", s.operation(OpShipmentStatuses, s.shipmentStatuses))
	mux.HandleFunc("POST "+base+"/{id}/settLest", s.operation(OpMarkRead, s.markRead))
	mux.HandleFunc("GET "+base+"/forsendelseTyper", s.operation(OpShipmentTypes, s.shipmentTypes))
	if s.Options.Wire == simulator.WireDeployed {
		mux.HandleFunc("POST "+base+"/slettFiler", s.operation(OpDeleteFiles, s.deleteFiles))
	}
}

// shipment finds the shipment in the path, after checking the rest of the request.
func shipment(x *simulator.Exchange) (simulator.Booked, bool) {
	id, ok := shipmentID(x)
	if !ok || !x.CheckShape() {
		return simulator.Booked{}, false
	}
	b, ok := x.Sim.FindShipment(x.AccountID, id)
	if !ok {
		x.Fail(http.StatusNotFound)
		return b, false
	}
	x.SetRecipient(b.Title)
	return b, true
}

// list wraps a list as the deployed service does.
func (s service) list(name string, items any) any {
	if s.Options.Wire == simulator.WireDeployed {
		return map[string]any{name: items}
	}
	return items
}

func (s service) statusOf(b simulator.Booked, fault simulator.Fault) status {
	last := simulator.Latest(s.Moments(b))
	if fault == simulator.NewStatus {
		last.Status = simulator.StatusNew
	}
	return status{ShipmentID: idRecord{ID: b.ID}, Changed: last.At.UnixMilli(), Status: last.Status}
}

func (s service) shipmentStatus(x *simulator.Exchange, b simulator.Booked) {
	fault := x.Decide(b.Title, b.Words.Read)
	x.Play(fault, func(bool) any { return s.statusOf(b, fault) })
}

// documentMetadata answers an empty list for a reserved id, and when the files are deleted.
func (s service) documentMetadata(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		all := []documentMetadata{}
		if b.FilesDeleted {
			return s.list("dokumentMetadata", all)
		}
		for i, d := range b.Documents {
			all = append(all, describe(b, i, d, "http://"+x.Request.Host+"/forsendelse/"+b.ID+"/"))
		}
		return s.list("dokumentMetadata", all)
	})
}

// describe is the metadata of one document. The addresses are made up; nothing answers there.
func describe(b simulator.Booked, i int, d simulator.Document, base string) documentMetadata {
	f := b.Fields.Files[i]
	m := documentMetadata{
		MimeType: d.MimeType, FileName: d.FileName, CanBeSigned: f.Sign, Size: d.Size, SHA256: d.SHA256, Type: f.Kind,
		DownloadURL: base + strconv.Itoa(i+1), Extra: f.Extra, Sensitive: f.Sensitive,
	}
	if f.Sign {
		m.SigningURL = new(base + "signer")
	}
	return m
}

func (s service) shipmentHistory(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		history := history{Events: []event{}}
		for _, m := range s.Moments(b) {
			for _, text := range m.Events {
				history.Events = append(history.Events, event{At: s.logTime(m.At), Text: text})
			}
		}
		return history
	})
}

func (s service) logTime(t time.Time) string { return t.In(s.Oslo).Format(simulator.LogTime) }

// signingHistory uses the types' old names and times as text on the deployed wire (upstream-facts, section 2.1).
func (s service) signingHistory(x *simulator.Exchange, b simulator.Booked) {
	x.Play(x.Decide(b.Title, simulator.NoFault), func(bool) any {
		history := signingHistory{ShipmentID: idRecord{ID: b.ID}, Log: []signing{}}
		for _, line := range b.Signatures(s.Options.Now(), s.Options.Pace, s.Oslo) {
			entry := signing{At: line.At.UnixMilli(), Type: line.Status, Text: line.Event}
			if s.Options.Wire == simulator.WireDeployed {
				entry.At, entry.Type = s.logTime(line.At), line.Old
			}
			history.Log = append(history.Log, entry)
		}
		return history
	})
}
