// Package dispatch is the domain of Utsending: accounts, messages, recipients, states, statuses and the rules of
// sending. It imports the standard library only; every other package speaks its words.
package dispatch

// Ids are UUIDs in text form, each of its own type so that the compiler refuses a mix-up.
type (
	// AccountID names an account: a team that sends.
	AccountID string
	// ItemID names an item: an SMS or a shipment.
	ItemID string
	// IntegrationID names the credentials with which the server calls an outside service.
	IntegrationID string
	// UserID names a person who has logged in.
	UserID string
	// AttemptID names one call that hands an item over.
	AttemptID string
)
