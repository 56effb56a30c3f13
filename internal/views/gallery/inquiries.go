package gallery

import (
	"time"

	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/compose"
	"utsending/internal/views/follow"
)

// receiverExhibits are the list of receiving systems.
func receiverExhibits() []exhibit {
	lines := []compose.ReceiverLine{
		{Receiver: dispatch.Receiver{OrganizationNumber: "987654325", Type: "Byggesøknad", System: "ePhorte", SystemID: sampleID(1), Level: 3}, Key: sampleID(11)},
		{Receiver: dispatch.Receiver{OrganizationNumber: "812345672", Type: "Delingssøknad", System: "Acos WebSak", SystemID: sampleID(2), Level: 4}, Key: sampleID(12)},
	}
	page := func(change func(*compose.ReceiversPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := compose.ReceiversPage{Page: f.onAccount(caseworker(), views.SectionReceivers, f.text("receiver.title")), Types: []string{"Byggesøknad"}, Rows: lines}
			change(&p)
			return compose.Receivers(p)
		}
	}
	return []exhibit{
		{path: "receivers/all", says: "all that the service knows", show: page(func(*compose.ReceiversPage) {})},
		{path: "receivers/for-a-draft", says: "for a draft, with more than are shown", show: page(func(p *compose.ReceiversPage) {
			p.Draft, p.More = dispatch.ItemID(sampleID(1)), 40
			p.Form = compose.ReceiverForm{OrganizationNumber: "987654325", Type: "Byggesøknad", Level: "3"}
		})},
		{path: "receivers/none", says: "nothing fits the filter", show: page(func(p *compose.ReceiversPage) { p.Rows = nil })},
		{path: "receivers/wrong", says: "a filter that the service would refuse", show: page(func(p *compose.ReceiversPage) {
			p.Account.ShipmentKind = dispatch.IntegrationShipmentV2
			_, p.Problems = dispatch.ParseReceiverFilter("12", ".søknad", "x", dispatch.V2)
		})},
		{path: "receivers/away", says: "the service does not answer", show: page(func(p *compose.ReceiversPage) {
			p.Failure = dispatch.Reason{Key: "reason.server_error", ErrorID: "0c9d2f"}
		})},
	}
}

// referenceExhibits are the search by external reference.
func referenceExhibits() []exhibit {
	page := func(find *dispatch.ReferenceFind, ps ...dispatch.Problem) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.ReferencePage{Page: f.onAccount(caseworker(), views.SectionReferences, f.text("reference.title")), Reference: "2026/1234", Find: find}
			p.Narrow, p.Problems = true, ps
			return follow.Reference(p)
		}
	}
	strangers := []dispatch.ReferenceMatch{{ID: sampleID(7), SourceSystem: "Fagsystemet", At: galleryNow}, {ID: sampleID(8)}}
	uncertain := shipmentRows()[:1]
	uncertain[0].State = dispatch.StateUncertain
	return []exhibit{
		{path: "reference/empty", says: "nothing has been searched", show: page(nil)},
		{path: "reference/wrong", says: "nothing to search for, and what cannot be searched for", show: page(nil,
			dispatch.Problem{Field: dispatch.FieldReference, Key: "problem.reference.empty"}, dispatch.Problem{Field: dispatch.FieldReference, Key: "problem.reference.unreadable"})},
		{path: "reference/found", says: "sent from here and by others", show: page(&dispatch.ReferenceFind{Own: uncertain, Strangers: strangers, Asked: true})},
		{path: "reference/nothing", says: "nothing anywhere", show: page(&dispatch.ReferenceFind{Asked: true})},
		{path: "reference/not-asked", says: "others share the integration", show: page(&dispatch.ReferenceFind{Own: shipmentRows()[:2]})},
		{path: "reference/away", says: "the service does not answer", show: page(&dispatch.ReferenceFind{Asked: true, Failure: dispatch.Reason{Key: "reason.timeout"}})},
	}
}

// readExhibits are the form that records that a shipment was read elsewhere.
func readExhibits() []exhibit {
	page := func(change func(*follow.MarkReadPage)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.MarkReadPage{Page: f.onAccount(caseworker(), views.SectionReading, f.text("read.title")), Item: sampleShipment(1)}
			p.Item.AcceptedAt = ago(24 * time.Hour)
			p.Form, p.Narrow = follow.NewMarkReadForm(p.Item, galleryNow), true
			change(&p)
			return follow.ShipmentMarkRead(p)
		}
	}
	checked := func(change func(*follow.MarkReadForm)) func(frame) templ.Component {
		return page(func(p *follow.MarkReadPage) {
			change(&p.Form)
			_, p.Problems = p.Form.Parse(p.Item, galleryNow)
		})
	}
	return []exhibit{
		{path: "shipment-read/person", says: "the recipient or another", show: page(func(*follow.MarkReadPage) {})},
		{path: "shipment-read/organization", says: "somebody at an organisation", show: page(func(p *follow.MarkReadPage) {
			p.Item.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "974760673"}
			p.Form = follow.NewMarkReadForm(p.Item, galleryNow)
		})},
		{path: "shipment-read/problems", says: "nothing filled in", show: checked(func(f *follow.MarkReadForm) { *f = follow.MarkReadForm{Who: follow.ReaderOther} })},
		{path: "shipment-read/early", says: "before it was accepted", show: checked(func(f *follow.MarkReadForm) { f.Day = "01.01.2026" })},
		{path: "shipment-read/late", says: "next year", show: checked(func(f *follow.MarkReadForm) { f.Day = "01.01.2030" })},
		{path: "shipment-read/away", says: "the service does not answer", show: page(func(p *follow.MarkReadPage) { p.Failure = dispatch.Reason{Key: "reason.unreachable"} })},
		{path: "shipment/read-elsewhere", says: "the service was told that it was read elsewhere", show: func(f frame) templ.Component {
			return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
				p.Item.State, p.Item.Status, p.Item.UpstreamID = dispatch.StateAccepted, dispatch.StatusNotified, sampleID(9)
				p.Events = append([]dispatch.Event{{At: galleryNow, Kind: dispatch.EventMarkedRead, Actor: "Kari Nordmann", Detail: "Arkivet"}}, p.Events...)
				p.Flash = &views.Flash{Key: "flash.marked_read", Color: "success"}
			}))
		}},
		{path: "shipment-form/receiver-used", says: "a receiving system was just filled in", show: func(f frame) templ.Component {
			p := shipmentForm(f, func(p *compose.ShipmentFormPage) { p.Form.UseReceiver("987654325", "Byggesøknad") })
			p.Flash = &views.Flash{Key: "flash.receiver_used", Color: "success"}
			return compose.ShipmentNew(p)
		}},
		{path: "shipment-form/of-rejected-unsaid", says: "the copy of one that the service rejected without saying more", show: ofFailed(dispatch.StateRejected, "")},
		{path: "shipment-form/of-dismissed", says: "the copy of one that the service dismissed later", show: ofFailed(dispatch.StateAccepted, dispatch.StatusDismissed)},
	}
}

// deletionExhibits are the page that asks whether the service shall delete a shipment's files.
func deletionExhibits() []exhibit {
	taken := func(change func(*dispatch.ShipmentItem)) dispatch.ShipmentItem {
		it := sampleShipment(1)
		it.State, it.Status, it.UpstreamID, it.Over = dispatch.StateAccepted, dispatch.StatusRead, sampleID(9), dispatch.IntegrationShipmentV2
		change(&it)
		return it
	}
	page := func(change func(*follow.DeletionPage), of func(*dispatch.ShipmentItem)) func(frame) templ.Component {
		return func(f frame) templ.Component {
			p := follow.DeletionPage{Page: f.onAccount(caseworker(), views.SectionContent, f.text("deletion.title")), Item: taken(of), Reach: dispatch.ReachOpen}
			p.Narrow = true
			change(&p)
			return follow.ShipmentDeletion(p)
		}
	}
	asked := func(*follow.DeletionPage) {}
	deleted := func(d dispatch.Deletion) func(frame) templ.Component {
		return func(f frame) templ.Component {
			return follow.ShipmentShow(shipmentPage(f, caseworker(), func(p *follow.ShipmentPage) {
				p.Item = taken(func(it *dispatch.ShipmentItem) { it.Deleted = d })
				p.Events = append([]dispatch.Event{{At: galleryNow, Kind: dispatch.EventDeletedDocuments, Actor: "Kari Nordmann", Detail: string(d)}}, p.Events...)
				p.Flash = &views.Flash{Key: "flash.deleted_documents", Color: "success"}
			}))
		}
	}
	return []exhibit{
		{path: "shipment-deletion/read", says: "a shipment that has been read", show: page(asked, func(*dispatch.ShipmentItem) {})},
		{path: "shipment-deletion/early", says: "before it has arrived", show: page(asked, func(it *dispatch.ShipmentItem) { it.Status = dispatch.StatusNotified })},
		{path: "shipment-deletion/signing", says: "while it is being signed", show: page(asked, func(it *dispatch.ShipmentItem) {
			it.Documents[0].Sign, it.SignBy, it.SigningStatus = true, galleryNow.Add(72*time.Hour), dispatch.SigningWaiting
		})},
		{path: "shipment-deletion/rest", says: "after what we sent was deleted", show: page(asked, func(it *dispatch.ShipmentItem) { it.Deleted = dispatch.DeletedOriginals })},
		{path: "shipment-deletion/away", says: "the service does not answer", show: page(func(p *follow.DeletionPage) {
			p.Failure = dispatch.Reason{Key: "reason.unreachable"}
		}, func(*dispatch.ShipmentItem) {})},
		{path: "shipment-deletion/other", says: "a colleague's files, with a reason that is too short", show: page(func(p *follow.DeletionPage) {
			p.Reach, p.Reason = dispatch.ReachReason, "Feil"
			p.Problems = dispatch.Problems{{Field: dispatch.FieldReason, Key: "problem.why.short"}}
		}, func(*dispatch.ShipmentItem) {})},
		{path: "shipment/originals-deleted", says: "what we sent was deleted at the service", show: deleted(dispatch.DeletedOriginals)},
		{path: "shipment/all-deleted", says: "everything was deleted at the service", show: deleted(dispatch.DeletedAll)},
	}
}

// ofFailed is the draft copied from a failed shipment.
func ofFailed(state dispatch.State, status dispatch.Status) func(frame) templ.Component {
	return func(f frame) templ.Component {
		return compose.ShipmentNew(shipmentForm(f, func(p *compose.ShipmentFormPage) {
			p.Failed.ID, p.Failed.Kind, p.Failed.State, p.Failed.Status = dispatch.ItemID(sampleID(1)), dispatch.KindShipment, state, status
			if state == dispatch.StateRejected {
				p.Failed.Reason = dispatch.Reason{Key: "reason.rejected", HTTPStatus: 400}
			}
		}))
	}
}
