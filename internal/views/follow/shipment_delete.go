package follow

import (
	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// DeletionPage asks whether the service is to delete a shipment's files.
type DeletionPage struct {
	views.Page
	Item    dispatch.ShipmentItem
	Which   dispatch.Deletion // as chosen
	Reach   dispatch.Reach    // deleting colleagues' files requires a reason
	Reason  string            // as typed
	Failure dispatch.Reason   // of the service's refusal; zero: none
}

// at is an address below the shipment.
func (p DeletionPage) at(parts ...string) string {
	return p.PathTo(append([]string{"forsendelser", string(p.Item.ID)}, parts...)...)
}

// caution is the catalogue key of a warning about a shipment that is not settled; empty: none.
func (p DeletionPage) caution() string {
	switch {
	case p.Item.AwaitsSigning():
		return "deletion.open_signing"
	case !p.Item.Status.Settled(dispatch.KindShipment):
		return "deletion.open"
	}
	return ""
}

// deletable tells whether the user may have the service delete the shipment's files.
func (p ShipmentPage) deletable() bool {
	return p.May(dispatch.RightSendShipments) && p.Reach != dispatch.ReachNone && len(p.Item.Deletions()) > 0
}
