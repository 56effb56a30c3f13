package upstream

// The generations of the shipment service, each one line: without its line and its folder a generation is gone.
import (
	_ "utsending/internal/clients/shipmentapi/v1" // ends around the turn of the year
	_ "utsending/internal/clients/shipmentapi/v2"
	_ "utsending/internal/clients/shipmentapi/v3"
)
