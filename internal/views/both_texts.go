package views

import (
	"maps"
	"reflect"

	"utsending/internal/dispatch"
)

// Difference is a field that two tabs have filled in otherwise. Label is a catalogue key.
type Difference struct{ Field, Label, Here, There string }

// Other is what another tab has saved of a draft since this one was opened.
type Other struct {
	Differences []Difference
	More        bool // choices that are no text differ too
	Path        string
	Settings    bool // somebody else may have saved them
}

// why and there are what is said of who saved the other text.
func (o Other) why() string {
	if o.Settings {
		return "both.settings.why"
	}
	return "both.why"
}

func (o Other) there() string {
	if o.Settings {
		return "both.settings.there"
	}
	return "both.there"
}

// compare notes a field where it differs.
func (o *Other) compare(field, label, here, there string) {
	if here != there {
		o.Differences = append(o.Differences, Difference{field, label, here, there})
	}
}

// OtherAccount compares an account's settings as they are typed here with what somebody else has saved.
func OtherAccount(here, there AccountForm, path string) Other {
	o := Other{Path: path, Settings: true}
	texts := func(f *AccountForm) []*string {
		return []*string{&f.Name, &f.OrganizationNumber, &f.SMSAccountID, &f.SenderName, &f.ShipmentAccountID, &f.SourceSystem, &f.BillingCode, &f.Undo,
			&f.WatchWords, &f.DaytimeFrom, &f.DaytimeTo, &f.SMSLimit, &f.PriceSMS, &f.PriceDigital, &f.PricePrint, &f.Unread}
	}
	labels := []string{"account.name", "account.organization", "account.account_id.sms.label", "account.sender", "account.account_id.shipments.label",
		"shipment.source_system", "shipment.billing_code", "account.undo", "account.watch_words", "account.daytime_from", "account.daytime_to", "account.sms_limit",
		"account.price.sms", "account.price.digital", "account.price.print", "account.unread"}
	mine, theirs := texts(&here), texts(&there)
	for i, label := range labels {
		o.compare("", label, *mine[i], *theirs[i])
		*mine[i], *theirs[i] = "", ""
	}
	here.Version, there.Version, here.Slug, there.Slug = "", "", "", ""
	o.More = !reflect.DeepEqual(here, there)
	return o
}

// OtherPrintRules compares rules for PDFs as they are typed here with what somebody else has saved.
func OtherPrintRules(here, there PrintRulesForm, path string) Other {
	o := Other{Path: path, Settings: true, More: here.CoverSheet != there.CoverSheet || !maps.Equal(here.Severities, there.Severities)}
	for _, f := range ruleFields {
		o.compare(f.name, f.label, here.Numbers[f.name], there.Numbers[f.name])
	}
	return o
}

// There tells whether there is anything to choose.
func (o Other) There() bool { return o.Path != "" }

// OtherOf compares a letter's form as it is typed here with what another tab has saved.
func OtherOf(here, there ShipmentForm, path string) Other {
	o := Other{Path: path}
	texts := func(f *ShipmentForm) []*string {
		return []*string{&f.Number, &f.Name, &f.Line1, &f.Line2, &f.Line3, &f.PostalCode, &f.City, &f.Country, &f.Title, &f.SourceSystem, &f.BillingCode,
			&f.ExternalReference, &f.Type, &f.SourceActor, &f.CorrelationID, &f.SharedWith, &f.InReplyTo, &f.ReplyNumber}
	}
	labels := []Difference{
		{dispatch.FieldRecipientNumber, "shipment.number", "", ""}, {dispatch.FieldName, "shipment.name", "", ""}, {dispatch.FieldLine1, "shipment.line1", "", ""},
		{"adresse2", "shipment.line2", "", ""}, {"adresse3", "shipment.line3", "", ""}, {dispatch.FieldPostalCode, "shipment.postal_code", "", ""},
		{dispatch.FieldCity, "shipment.city", "", ""}, {dispatch.FieldCountry, "shipment.country", "", ""}, {dispatch.FieldTitle, "shipment.title", "", ""},
		{dispatch.FieldSourceSystem, "shipment.source_system", "", ""}, {dispatch.FieldBillingCode, "shipment.billing_code", "", ""},
		{dispatch.FieldReference, "shipment.reference", "", ""}, {dispatch.FieldType, "shipment.type", "", ""}, {dispatch.FieldSourceActor, "shipment.source_actor", "", ""},
		{dispatch.FieldCorrelation, "shipment.correlation", "", ""}, {dispatch.FieldSharedWith, "shipment.shared", "", ""},
		{dispatch.FieldInReplyTo, "shipment.in_reply_to", "", ""}, {dispatch.FieldReplyNumber, "shipment.reply.number", "", ""},
	}
	mine, theirs := texts(&here), texts(&there)
	for i, d := range labels {
		if d.Here, d.There = *mine[i], *theirs[i]; d.Here != d.There {
			o.Differences = append(o.Differences, d)
		}
		*mine[i], *theirs[i] = "", ""
	}
	if len(here.Documents) == 0 && len(there.Documents) == 0 {
		here.Documents, there.Documents = nil, nil
	}
	o.More = !reflect.DeepEqual(here, there)
	return o
}
