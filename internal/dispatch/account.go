package dispatch

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Account is a team that sends. Each service gives it its own id (kontoId); without one the account lacks that
// channel.
type Account struct {
	ID                  AccountID
	Slug                string // short name in addresses: "oppvekst"
	Name                string
	SMSAccountID        string // kontoId at the SMS service
	ShipmentAccountID   string // kontoId at the shipment service
	SMSIntegration      IntegrationID
	ShipmentIntegration IntegrationID
	ShipmentKind        IntegrationKind // of that integration; empty: none
	EncryptUntil        time.Time       // expiry of the service's certificate of that integration; zero: it has none
	SenderName          string          // what phones show as the sender, 2–11 characters, set at the service
	UndoWindow          time.Duration
	SourceSystem        string // avgivendeSystem of the account's shipments, if the draft gives none
	OrganizationNumber  OrganizationNumber
	BillingCode         string          // of the account's shipments, if the draft gives none
	SingleSided, Color  bool            // print defaults of the account's shipments
	Reply               Address         // default reply address of its shipments; zero: none
	Archive             ArchiveDefaults // defaults of its shipments' archive records
	Health              bool            // it may send into the health network, where its generation can
	DisabledAt          time.Time       // zero: in use. A disabled account sends nothing
	SMSEnvironment      Environment     // of the integration of its SMS; empty: not known
	ShipmentEnvironment Environment     // of that of its shipments
	Test                bool            // an integration is in a test environment: what is sent there reaches nobody
	WatchWords          string          // one a line: a text that holds one gets a warning
	Daytime             Daytime         // when SMS are sent, unless urgent
	SMSLimit            int             // segments a month; 0: none
	Prices              Prices
	Budget              Budget        // of a month; what is spent is not read with the account
	UnreadAfter         time.Duration // a printable shipment unread for this long becomes a follow-up; 0: never
	HolidaysCount       bool          // public holidays count towards the service's reading deadline
	Approval            ApprovalRule  // what somebody else has to approve before it is sent
	PrintRules          *PrintRules   // nil: the defaults
	References          ReferenceRule
	Version             int // of the row, for optimistic locking
}

// HasSMS tells whether the account can send SMS.
func (a Account) HasSMS() bool { return a.SMSAccountID != "" && a.SMSIntegration != "" }

// Disabled tells whether the account is closed for sending.
func (a Account) Disabled() bool { return !a.DisabledAt.IsZero() }

// HasShipments tells whether the account can send shipments.
func (a Account) HasShipments() bool {
	return a.ShipmentIntegration != "" && (!a.ShipmentKind.Row().AccountID || a.ShipmentAccountID != "")
}

// Generation is the generation of the shipment service that the account's shipments go to; the oldest one without an
// integration.
func (a Account) Generation() Generation {
	return max(a.ShipmentKind.Row().Generation, generationRows[0].Generation)
}

// Fields of an account and an integration that problems are tied to; the forms use the same names.
const (
	FieldSlug               = "kortnavn"
	FieldSMSAccountID       = "sms-konto-id"
	FieldShipmentAccountID  = "forsendelse-konto-id"
	FieldSenderName         = "avsender"
	FieldUndo               = "angre"
	FieldOrganizationNumber = "orgnr"
	FieldService            = "tjeneste"
	FieldParallelism        = "samtidige"
	FieldRate               = "takt"
	FieldWatchWords         = "ord"
	FieldDaytimeFrom        = "sendes-fra"
	FieldDaytimeTo          = "sendes-til"
	FieldWorkdays           = "virkedager"
	FieldSMSLimit           = "grense"
	FieldPriceSMS           = "pris-sms"
	FieldPriceDigital       = "pris-digitalt"
	FieldPricePrint         = "pris-papir"
	FieldPriceSheet         = "pris-ark"
	FieldPriceColor         = "pris-farger"
	FieldPriceGiro          = "pris-giro"
	FieldBudget             = "budsjett"
	FieldBudgetRule         = "budsjett-regel"
	FieldUnread             = "ulest"
	FieldHolidaysCount      = "helligdager-teller"
)

var slugPattern = pattern(`^[a-z0-9](-?[a-z0-9]){0,39}$`)

// IsUUID tells whether a text is a UUID, as the services write their ids.
func IsUUID(text string) bool { return uuidPattern().MatchString(text) }

// Validate returns the problems that keep the account from being saved, in the order of the form.
func (a Account) Validate() Problems {
	var ps Problems
	check := func(ok bool, field, key string) {
		if !ok {
			ps.add(&Problem{Field: field, Key: key})
		}
	}
	check(strings.TrimSpace(a.Name) != "", FieldName, "problem.account.name")
	check(utf8.RuneCountInString(a.Name) <= 100, FieldName, "problem.name.long")
	check(slugPattern().MatchString(a.Slug) && a.Slug != "ny", FieldSlug, "problem.slug")
	if a.OrganizationNumber != "" {
		ps.add(validOrganization(FieldOrganizationNumber, string(a.OrganizationNumber)))
	}
	check(a.SMSAccountID == "" || IsUUID(a.SMSAccountID), FieldSMSAccountID, "problem.account_id")
	// A sender is set at the service: 2–11 characters (upstream facts, section 5).
	n := utf8.RuneCountInString(a.SenderName)
	check(n == 0 || n >= 2 && n <= 11, FieldSenderName, "problem.sender_name")
	check(a.SMSLimit >= 0 && a.SMSLimit <= 10_000_000, FieldSMSLimit, "problem.sms_limit")
	check(a.Daytime.valid(), FieldDaytimeFrom, "problem.daytime")
	check(a.validWatchWords(), FieldWatchWords, "problem.watch_words")
	check(a.ShipmentAccountID == "" || IsUUID(a.ShipmentAccountID), FieldShipmentAccountID, "problem.account_id")
	check(utf8.RuneCountInString(a.SourceSystem) <= 100, FieldSourceSystem, "problem.source_system.long")
	check(a.Generation().Row().BillingCode().MatchString(a.BillingCode), FieldBillingCode, "problem.billing_code")
	ps = append(ps, a.References.validate()...)
	if a.Reply != (Address{}) {
		Shipment{ReplyTo: &a.Reply}.validateReply(&ps)
	}
	if a.ShipmentKind != "" {
		var own Problems
		a.validateReplyFor(&own, a.Generation().Row())
		ps = ps.With(own)
	}
	check(a.UnreadAfter >= 0 && a.UnreadAfter <= 720*time.Hour, FieldUnread, "problem.unread")
	check(a.UndoWindow >= 0 && a.UndoWindow <= time.Hour, FieldUndo, "problem.undo")
	check(a.Approval.Recipients >= 0 && a.Approval.Recipients <= JobRowsMax, FieldApprovalRecipients, "problem.approval.recipients")
	check(a.Approval.Cost >= 0 && a.Approval.Cost <= budgetMax, FieldApprovalCost, "problem.approval.cost")
	check(a.Approval.Cost <= 0 || a.Prices.Set(), FieldApprovalCost, "problem.approval.prices")
	check(a.Prices.SMS.valid(), FieldPriceSMS, "problem.price.sms")
	check(a.Prices.Digital.valid(), FieldPriceDigital, "problem.price.digital")
	check(a.Prices.Print.valid(), FieldPricePrint, "problem.price.print")
	check(PriceOf(a.Prices.Sheet).valid(), FieldPriceSheet, "problem.price.sheet")
	check(PriceOf(a.Prices.Color).valid(), FieldPriceColor, "problem.price.color")
	check(PriceOf(a.Prices.Giro).valid(), FieldPriceGiro, "problem.price.giro")
	check(a.Budget.Limit >= 0 && a.Budget.Limit <= budgetMax, FieldBudget, "problem.budget")
	check(a.Budget.Limit <= 0 || a.Prices.Set(), FieldBudget, "problem.budget.prices")
	check(a.Budget.Limit == 0 && a.Budget.Rule == "" || slices.Contains(BudgetRules(), a.Budget.Rule), FieldBudgetRule, "problem.budget.rule")
	return ps
}

func (a Account) validWatchWords() bool {
	words := WatchWords(a.WatchWords)
	for _, w := range words {
		if utf8.RuneCountInString(w) > WatchWordMaxLength || !Readable(w) {
			return false
		}
	}
	return len(words) <= WatchWordsMax
}
