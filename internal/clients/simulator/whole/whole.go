// Package whole starts a simulator with every generation, each one line.
package whole

import (
	"utsending/internal/clients/simulator"
	_ "utsending/internal/clients/simulator/shipmentv1" // ends around the turn of the year
	_ "utsending/internal/clients/simulator/shipmentv2"
	_ "utsending/internal/clients/simulator/shipmentv3"
)

// New returns a simulator of all services.
func New(o simulator.Options) *simulator.Simulator { return simulator.New(o) }
