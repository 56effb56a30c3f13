// Package follow holds the pages that follow up what was sent: lists, items, jobs, content, the worklist, search,
// exports, and the lead's figures.
//
// Each kind of page has a type of its own, with what it uses. They are listed here from the bottom up: a type knows those
// above it in this file, and none below (TestRooms).
package follow

import (
	"utsending/internal/bulk"
	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/upstream"
)

// What the pages share.
type (
	// colleagues are those who work on the account.
	colleagues struct{ *frame.Frame }

	// blocks tells why queued items of an account are not tried.
	blocks struct{ *frame.Frame }

	// itemPages has what the pages of SMS and of shipments share.
	itemPages struct{ *frame.Frame }

	// listPages reads and shows lists of items.
	listPages struct {
		*frame.Frame
		blocks  *blocks
		choices *choices
	}

	// draftLists lists the visitor's drafts.
	draftLists struct{ *frame.Frame }
)

// Lists.
type (
	// Lists has the lists of items and of drafts, and what users keep of them: filters and columns.
	Lists struct {
		*frame.Frame
		lists  *listPages
		drafts *draftLists
	}

	// Search finds items by what users type.
	Search struct {
		*frame.Frame
		lists *listPages
	}

	// FollowUps has the worklist, and the follow-up of one item.
	FollowUps struct {
		*frame.Frame
		colleagues *colleagues
		blocks     *blocks
		lists      *listPages
	}

	// Person shows all that one person was sent.
	Person struct{ *frame.Frame }
)

// Items and jobs.
type (
	// SMS has the pages of one SMS, and the list of uncertain ones.
	SMS struct {
		*frame.Frame
		items *itemPages
		Plan  dispatch.RefreshPlan
	}

	// Shipments has the pages of one shipment.
	Shipments struct {
		*frame.Frame
		items    *itemPages
		Upstream *upstream.Clients
		Plan     dispatch.RefreshPlan
	}

	// Items has the pages that are the same for SMS and shipments: proof, wrong recipient, legal hold, reading the status now,
	// the reason to open a colleague's.
	Items struct {
		*frame.Frame
		Plan dispatch.RefreshPlan
	}

	// References finds shipments by their reference, here and at the service.
	References struct {
		*frame.Frame
		Upstream *upstream.Clients
	}

	// Archive packs items for the archive, and notes that they are archived.
	Archive struct{ *frame.Frame }

	// Jobs has the list of jobs and the page of one.
	Jobs struct {
		*frame.Frame
		blocks *blocks
		drafts *draftLists
	}

	// JobResults gives what a job came to as a file.
	JobResults struct {
		*frame.Frame
		jobs *Jobs
	}
)

// Many items, and the whole account.
type (
	// Bulk acts on chosen items.
	Bulk struct {
		*frame.Frame
		colleagues *colleagues
		lists      *listPages
		worker     *bulk.Worker
	}

	// Exports makes files of lists.
	Exports struct {
		*frame.Frame
		lists *listPages
	}

	// Absences has absences and deputies, and hands all of a colleague's work over.
	Absences struct {
		*frame.Frame
		colleagues *colleagues
	}

	// Protected has the people whose items only named users see.
	Protected struct {
		*frame.Frame
		colleagues *colleagues
	}

	// Overview is the account's first page.
	Overview struct {
		*frame.Frame
		blocks *blocks
		drafts *draftLists
	}

	// Lead has the lead's figures.
	Lead struct {
		*frame.Frame
		blocks *blocks
	}
)

// Options are what the pages use.
type Options struct {
	Frame    *frame.Frame
	Upstream *upstream.Clients
	Plan     dispatch.RefreshPlan
	Bulk     *bulk.Worker // performs acts on chosen items
}

// Pages are all pages of this area.
type Pages struct {
	Lists      *Lists
	Search     *Search
	FollowUps  *FollowUps
	Person     *Person
	SMS        *SMS
	Shipments  *Shipments
	Items      *Items
	References *References
	Archive    *Archive
	Jobs       *Jobs
	JobResults *JobResults
	Bulk       *Bulk
	Exports    *Exports
	Absences   *Absences
	Protected  *Protected
	Overview   *Overview
	Lead       *Lead
}

// New puts the pages together.
func New(o Options) *Pages {
	f := o.Frame
	colleagues, blocks, items, drafts := &colleagues{f}, &blocks{f}, &itemPages{f}, &draftLists{f}
	lists := &listPages{f, blocks, newChoices(f.Store)}
	jobs := &Jobs{f, blocks, drafts}
	return &Pages{
		Lists:      &Lists{f, lists, drafts},
		Search:     &Search{f, lists},
		FollowUps:  &FollowUps{f, colleagues, blocks, lists},
		Person:     &Person{f},
		SMS:        &SMS{f, items, o.Plan},
		Shipments:  &Shipments{f, items, o.Upstream, o.Plan},
		Items:      &Items{f, o.Plan},
		References: &References{f, o.Upstream},
		Archive:    &Archive{f},
		Jobs:       jobs,
		JobResults: &JobResults{f, jobs},
		Bulk:       &Bulk{f, colleagues, lists, o.Bulk},
		Exports:    &Exports{f, lists},
		Absences:   &Absences{f, colleagues},
		Protected:  &Protected{f, colleagues},
		Overview:   &Overview{f, blocks, drafts},
		Lead:       &Lead{f, blocks},
	}
}
