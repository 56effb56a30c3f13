package store

import "errors"

// ErrProtected: the recipient is protected, and the user is not named as allowed. Nothing was changed.
var ErrProtected = errors.New("the recipient is protected")

// Names is the condition that a user is among those who may see a protected person, both given as expressions.
func Names(person, user string) string {
	return `EXISTS (SELECT FROM protected_viewers w WHERE w.person_id = ` + person + ` AND w.user_id = ` + user + `)`
}

// ShownTo is the condition that an item does not go to a protected person whom a user may not see; both ids are given as expressions.
func ShownTo(item, user string) string {
	return `NOT EXISTS (
		SELECT FROM (SELECT protected_id FROM sms WHERE item_id = ` + item + ` UNION ALL SELECT protected_id FROM shipments WHERE item_id = ` + item + `) o
		WHERE o.protected_id IS NOT NULL AND NOT ` + Names("o.protected_id", user) + `)`
}
