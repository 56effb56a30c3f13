// Package whole starts a simulator with every generation.
package whole

import (
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/clients/simulator/shipmentv2"
)

// New returns a simulator of all services.
func New(o simulator.Options) *simulator.Simulator {
	return simulator.New(o, shipmentv1.Register, shipmentv2.Register)
}
