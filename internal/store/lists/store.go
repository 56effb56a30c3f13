// Package lists stores what users look for: lists, counts, the worklist, searches, exports and statistics.
//
// Each subject has a type of its own. They are listed here from the bottom up: a type calls those above it in this file,
// and none below (TestRooms).
package lists

import "utsending/internal/store"

type (
	// rows reads rows of lists, and hides what the viewer may not see.
	rows struct{ *store.Store }

	// Items are the lists of items, their counts, and the filters that users keep.
	Items struct{ rows }

	// Searches are what users have searched for, by words or person.
	Searches struct{ *store.Store }

	// References finds shipments by their reference at the service.
	References struct{ rows }

	// Selections are items that a user has chosen from a list.
	Selections struct{ rows }

	// FollowUps is the worklist.
	FollowUps struct{ rows }

	// BulkOrders are acts on many items, done in the background.
	BulkOrders struct{ rows }

	// Exports are files of lists, made in the background.
	Exports struct{ *store.Store }

	// Statistics are figures of accounts and users.
	Statistics struct{ *store.Store }
)

// Store has all of them.
type Store struct {
	Items      Items
	Searches   Searches
	References References
	Selections Selections
	FollowUps  FollowUps
	BulkOrders BulkOrders
	Exports    Exports
	Statistics Statistics
}

// In returns this area of a store.
func In(s *store.Store) Store {
	r := rows{s}
	return Store{
		Items: Items{r}, Searches: Searches{s}, References: References{r}, Selections: Selections{r}, FollowUps: FollowUps{r},
		BulkOrders: BulkOrders{r}, Exports: Exports{s}, Statistics: Statistics{s},
	}
}
