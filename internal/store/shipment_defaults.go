package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"utsending/internal/dispatch"
)

// shipmentDefaults is what an account fills in in its shipments, as it stands in the table.
type shipmentDefaults struct {
	Reply   storedAddress
	Archive dispatch.ArchiveDefaults
}

// Value implements driver.Valuer.
func (d shipmentDefaults) Value() (driver.Value, error) {
	data, err := json.Marshal(d)
	return string(data), err
}

// Scan implements sql.Scanner.
func (d *shipmentDefaults) Scan(from any) error {
	data, ok := from.([]byte)
	if !ok {
		return fmt.Errorf("shipment defaults: cannot read %T", from)
	}
	return json.Unmarshal(data, d)
}

func defaultsOf(a dispatch.Account) shipmentDefaults {
	return shipmentDefaults{toStoredAddress(a.Reply), a.Archive}
}
