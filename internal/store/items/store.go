// Package items stores what users create and act on: SMS, shipments and their documents, jobs and their rows,
// templates, decisions.
//
// Each subject has a type of its own. They are listed here from the bottom up: a type calls those above it in this file,
// and none below (TestRooms).
package items

import "utsending/internal/store"

// What the subjects share.
type (
	// contents seals and opens what items, rows, templates and forms say.
	contents struct{ *store.Store }

	// reviews tells whether something needs approval before it is sent, and why.
	reviews struct{ contents }

	// Protected are the people whose items only named users see.
	Protected struct{ contents }

	// Budgets are budgets and quotas of accounts, with their use.
	Budgets struct{ *store.Store }

	// Origins tells what items and drafts were made from, and what was sent in their place.
	Origins struct{ *store.Store }

	// Today finds what a recipient was already sent today.
	Today struct{ contents }
)

// Single items.
type (
	// Forms are autosaved forms of SMS, which are no drafts yet.
	Forms struct{ contents }

	// SMS are single SMS, from draft to sent.
	SMS struct{ contents }

	// Templates are the accounts' templates and their versions.
	Templates struct{ contents }

	// Decisions are what people decide about sent items, and their looks at content.
	Decisions struct{ *store.Store }

	// Archives tell in which case an item is archived.
	Archives struct{ *store.Store }

	// Documents are the files of drafts.
	Documents struct{ contents }

	// Drafts are drafts of shipments until they are queued. Discard takes drafts of either kind.
	Drafts struct{ contents }

	// HandOvers give drafts and open items to a colleague.
	HandOvers struct{ *store.Store }

	// Shipments are sent shipments, and drafts copied from them.
	Shipments struct{ contents }

	// Resends send again what did not arrive, as it is or as a copy.
	Resends struct{ contents }
)

// Jobs.
type (
	// Jobs are jobs of both kinds, and what is done to sent ones.
	Jobs struct{ contents }

	// Rows are the rows of a job's list, and its text, on which they depend.
	Rows struct{ contents }

	// Lists are lists as they were received, to be read again.
	Lists struct{ *store.Store }

	// OwnFiles are files that belong to one row each.
	OwnFiles struct{ contents }

	// Slices are the parts of a PDF that is divided among the rows.
	Slices struct{ contents }

	// SMSJobs send SMS to all rows.
	SMSJobs struct{ *store.Store }

	// ShipmentJobs are drafts of shipments to many, and send them.
	ShipmentJobs struct{ contents }

	// Repeats are jobs made from earlier sendings.
	Repeats struct{ contents }

	// Maker makes the items of sent jobs.
	Maker struct{ contents }
)

// Both, and the account.
type (
	// Approvals are what waits for a colleague to approve it, and their decisions.
	Approvals struct{ contents }

	// Absences are absences with deputies, and who works on an account.
	Absences struct{ *store.Store }

	// Citizens reports what is stored about one person.
	Citizens struct{ *store.Store }

	// Filler fills an account with items as if they had been sent, for trials of size.
	Filler struct{ contents }

	// PrintRules are an account's rules for PDFs that are printed.
	PrintRules struct{ *store.Store }
)

// Store has all of them.
type Store struct {
	contents contents
	reviews  reviews

	Protected    Protected
	Budgets      Budgets
	Origins      Origins
	Today        Today
	Forms        Forms
	SMS          SMS
	Templates    Templates
	Decisions    Decisions
	Archives     Archives
	Documents    Documents
	Drafts       Drafts
	HandOvers    HandOvers
	Shipments    Shipments
	Resends      Resends
	Jobs         Jobs
	Rows         Rows
	Lists        Lists
	OwnFiles     OwnFiles
	Slices       Slices
	SMSJobs      SMSJobs
	ShipmentJobs ShipmentJobs
	Repeats      Repeats
	Maker        Maker
	Approvals    Approvals
	Absences     Absences
	Citizens     Citizens
	Filler       Filler
	PrintRules   PrintRules
}

// In returns this area of a store.
func In(s *store.Store) Store {
	c := contents{s}
	return Store{
		contents: c, reviews: reviews{c},
		Protected: Protected{c}, Budgets: Budgets{s}, Origins: Origins{s}, Today: Today{c}, Forms: Forms{c}, SMS: SMS{c},
		Templates: Templates{c}, Decisions: Decisions{s}, Archives: Archives{s}, Documents: Documents{c}, Drafts: Drafts{c},
		HandOvers: HandOvers{s}, Shipments: Shipments{c}, Resends: Resends{c}, Jobs: Jobs{c}, Rows: Rows{c}, Lists: Lists{s},
		OwnFiles: OwnFiles{c}, Slices: Slices{c}, SMSJobs: SMSJobs{s}, ShipmentJobs: ShipmentJobs{c}, Repeats: Repeats{c},
		Maker: Maker{c}, Approvals: Approvals{c}, Absences: Absences{s}, Citizens: Citizens{s}, Filler: Filler{c},
		PrintRules: PrintRules{s},
	}
}
