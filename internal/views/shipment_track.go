package views

import (
	"utsending/internal/dispatch"
)

// Channel is the catalogue key of a shipment's channel, if its status tells.
func Channel(r *dispatch.ListRow) string {
	switch told := r.Status.Of(dispatch.KindShipment).Channel; {
	case told != "" && told != dispatch.ChannelDigital:
		return "channel." + string(told)
	case r.DigitalOnly:
		return "channel.digital_only"
	case told == dispatch.ChannelDigital:
		return "channel.digital"
	case r.State == dispatch.StateDraft, r.State == dispatch.StateCancelled: // it was never sent
		return "channel.draft"
	case r.Unnumbered && !r.EndedBadly(): // otherwise it was never printed
		return "channel.paper"
	}
	return "channel.unknown"
}
