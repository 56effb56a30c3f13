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

	// Claims takes due items under a lease, to hand them over, and those of processes that died.
	Claims struct{ *store.Store }

	// Workers are the processes that deliver.
	Workers struct{ *store.Store }

	// Recoveries are look-ups of shipments that may have been sent: which are due, and what they proved.
	Recoveries struct{ *store.Store }

	// Checks are reads of statuses: which are due, and what they gave.
	Checks struct{ *store.Store }

	// Reconciliations are comparisons of what we have sent with what the service has: their questions, answers and findings.
	Reconciliations struct{ *store.Store }

	// Guards keeps a restored database from sending again.
	Guards struct{ *store.Store }

	// Operations are what operators see and do: pausing delivery, stopping and opening integrations, clearing refusals.
	Operations struct{ *store.Store }

	// Gauges measures queues and pools.
	Gauges struct{ *store.Store }

	// Examinations tell whether the database is ready for this program: its schema, version, rights and keys.
	Examinations struct{ *store.Store }
)

// Store has all of them.
type Store struct {
	Outcomes        Outcomes
	Claims          Claims
	Workers         Workers
	Recoveries      Recoveries
	Checks          Checks
	Reconciliations Reconciliations
	Guards          Guards
	Operations      Operations
	Gauges          Gauges
	Examinations    Examinations
}

// In returns this area of a store.
func In(s *store.Store) Store {
	return Store{
		Outcomes: Outcomes{s}, Claims: Claims{s}, Workers: Workers{s}, Recoveries: Recoveries{s}, Checks: Checks{s},
		Reconciliations: Reconciliations{s}, Guards: Guards{s}, Operations: Operations{s}, Gauges: Gauges{s},
		Examinations: Examinations{s},
	}
}
