package dispatch

import "time"

// Account is a team that sends. It has an id of its own at each service, and each is optional: an account without one
// does not have that channel.
type Account struct {
	ID                  AccountID
	Slug                string // short name in addresses: "oppvekst"
	Name                string
	SMSAccountID        string // kontoId at the SMS service
	ShipmentAccountID   string // kontoId at the shipment service
	SMSIntegration      IntegrationID
	ShipmentIntegration IntegrationID
	SenderName          string // what phones show as the sender, 2–11 characters, set at the service
	UndoWindow          time.Duration
	SourceSystem        string // avgivendeSystem of the account's shipments unless another is given
	OrganizationNumber  OrganizationNumber
	BillingCode         string       // of the account's shipments unless another is given
	Print               PrintOptions // of the account's shipments unless another is given
	DisabledAt          time.Time    // zero: in use. A disabled account sends nothing
	Version             int          // of the row: two administrators must not overwrite each other
}

// HasSMS tells whether the account can send SMS.
func (a Account) HasSMS() bool { return a.SMSAccountID != "" && a.SMSIntegration != "" }

// Disabled tells whether the account is closed for sending.
func (a Account) Disabled() bool { return !a.DisabledAt.IsZero() }

// HasShipments tells whether the account can send shipments. Shipment V1 needs no kontoId.
func (a Account) HasShipments() bool { return a.ShipmentIntegration != "" }
