// Package queue stores delivery's state: claims, attempts and their outcomes, recovery, status reads, the restore
// guard, and stops.
//
// Each subject has a type of its own. They are listed here from the bottom up: a type calls those above it in this file,
// and none below (TestRooms).
package queue

import "utsending/internal/store"

type (
	// Outcomes writes what attempts came to.
	Outcomes struct{ *store.Store }

	// Claims takes due items, under a lease, to hand them over.
	Claims struct{ *store.Store }

	// Recoveries looks up shipments that may have been sent.
	Recoveries struct{ *store.Store }

	// Checks reads the status of what was accepted.
	Checks struct{ *store.Store }

	// Reconciliations compares what we have sent with what the service has.
	Reconciliations struct{ *store.Store }

	// Guards keeps a restored database from sending again.
	Guards struct{ *store.Store }

	// Operations are what operators do: stopping and opening integrations, clearing refusals.
	Operations struct{ *store.Store }

	// Gauges measures queues, pools and the schema.
	Gauges struct{ *store.Store }
)

// Store has all of them.
type Store struct {
	Outcomes        Outcomes
	Claims          Claims
	Recoveries      Recoveries
	Checks          Checks
	Reconciliations Reconciliations
	Guards          Guards
	Operations      Operations
	Gauges          Gauges
}

// In returns this area of a store.
func In(s *store.Store) Store {
	return Store{
		Outcomes: Outcomes{s}, Claims: Claims{s}, Recoveries: Recoveries{s}, Checks: Checks{s},
		Reconciliations: Reconciliations{s}, Guards: Guards{s}, Operations: Operations{s}, Gauges: Gauges{s},
	}
}
