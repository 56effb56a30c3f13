package admin

import (
	"maps"
	"reflect"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// accountTexts are the texts of the form, in the order of accountLabels.
func accountTexts(f *AccountForm) []*string {
	return []*string{&f.Name, &f.OrganizationNumber, &f.SMSAccountID, &f.SenderName, &f.ShipmentAccountID, &f.SourceSystem, &f.BillingCode, &f.Undo,
		&f.WatchWords, &f.DaytimeFrom, &f.DaytimeTo, &f.SMSLimit, &f.PriceSMS, &f.PriceDigital, &f.PricePrint, &f.Unread,
		&f.PriceSheet, &f.PriceColor, &f.PriceGiro, &f.Budget, &f.ReferencePattern, &f.ReferenceUnit}
}

var accountLabels = []string{"account.name", "account.organization", "account.account_id.sms.label", "account.sender", "account.account_id.shipments.label",
	"shipment.source_system", "shipment.billing_code", "account.undo", "account.watch_words", "account.daytime_from", "account.daytime_to", "account.sms_limit",
	"account.price.sms", "account.price.digital", "account.price.print", "account.unread",
	"account.price.sheet", "account.price.color", "account.price.giro", "account.budget", "account.reference.pattern", "account.reference.unit"}

// otherChoices is what the event log says of changed fields that accountLabels does not name.
const otherChoices = "audit.changed.other"

// OtherAccount compares this form of an account's settings with those that another user has saved.
func OtherAccount(here, there AccountForm, path string) views.Other {
	o := views.Other{Path: path, Settings: true}
	mine, theirs := accountTexts(&here), accountTexts(&there)
	for i, label := range accountLabels {
		o.Compare("", label, *mine[i], *theirs[i])
		*mine[i], *theirs[i] = "", ""
	}
	here.Version, there.Version, here.Slug, there.Slug = "", "", "", ""
	o.More = !reflect.DeepEqual(here, there)
	return o
}

// OtherPrintRules compares this form of print rules with those that another administrator has saved.
func OtherPrintRules(here, there PrintRulesForm, path string) views.Other {
	o := views.Other{Path: path, Settings: true, More: here.CoverSheet != there.CoverSheet || !maps.Equal(here.Severities, there.Severities)}
	for _, f := range ruleFields {
		o.Compare(f.name, f.label, here.Numbers[f.name], there.Numbers[f.name])
	}
	return o
}

// PrintRulesPage is the form of an account's print rules.
type PrintRulesPage struct {
	views.Page
	Row   AccountLine
	Form  PrintRulesForm
	Other views.Other // saved by another administrator meanwhile
}

// PrintRulesForm are an account's print rules as typed.
type PrintRulesForm struct {
	CoverSheet bool
	Numbers    map[string]string // by field
	Severities map[dispatch.Check]string
	Version    string
}

// ruleField is a numeric rule.
type ruleField struct {
	name, label string
	at          func(*dispatch.PrintRules) *int
}

var ruleFields = []ruleField{
	{dispatch.FieldWindowLeft, "print_rules.window_left", func(r *dispatch.PrintRules) *int { return &r.WindowLeft }},
	{dispatch.FieldWindowTop, "print_rules.window_top", func(r *dispatch.PrintRules) *int { return &r.WindowTop }},
	{dispatch.FieldWindowWidth, "print_rules.window_width", func(r *dispatch.PrintRules) *int { return &r.WindowWidth }},
	{dispatch.FieldWindowHeight, "print_rules.window_height", func(r *dispatch.PrintRules) *int { return &r.WindowHeight }},
	{dispatch.FieldSideMargin, "print_rules.side_margin", func(r *dispatch.PrintRules) *int { return &r.SideMargin }},
	{dispatch.FieldEndMargin, "print_rules.end_margin", func(r *dispatch.PrintRules) *int { return &r.EndMargin }},
	{dispatch.FieldBarcodeWidth, "print_rules.barcode", func(r *dispatch.PrintRules) *int { return &r.BarcodeWidth }},
	{dispatch.FieldSmaller, "print_rules.smaller", func(r *dispatch.PrintRules) *int { return &r.Smaller }},
	{dispatch.FieldMaxPages, "print_rules.pages", func(r *dispatch.PrintRules) *int { return &r.MaxPages }},
}

// NewPrintRulesForm is the form of an account's print rules as they are now.
func NewPrintRulesForm(a dispatch.Account) PrintRulesForm {
	rules := a.Rules()
	f := PrintRulesForm{CoverSheet: rules.CoverSheet, Numbers: map[string]string{}, Severities: map[dispatch.Check]string{}, Version: strconv.Itoa(a.Version)}
	for _, field := range ruleFields {
		f.Numbers[field.name] = strconv.Itoa(*field.at(&rules))
	}
	for _, c := range dispatch.ChosenChecks() {
		f.Severities[c] = string(rules.Of(c))
	}
	return f
}

// ReadPrintRulesForm reads the form.
func ReadPrintRulesForm(value func(name string) string) PrintRulesForm {
	f := PrintRulesForm{CoverSheet: value(dispatch.FieldCoverSheet) == "true", Numbers: map[string]string{}, Severities: map[dispatch.Check]string{}, Version: value("versjon")}
	for _, field := range ruleFields {
		f.Numbers[field.name] = value(field.name)
	}
	for _, c := range dispatch.ChosenChecks() {
		f.Severities[c] = value(dispatch.FieldSeverity + string(c))
	}
	return f
}

// Parse parses the rules and returns the problems.
func (f PrintRulesForm) Parse() (dispatch.PrintRules, dispatch.Problems) {
	rules := dispatch.PrintRules{CoverSheet: f.CoverSheet, Chosen: map[dispatch.Check]dispatch.Severity{}}
	for _, field := range ruleFields {
		n, err := views.TypedNumber(f.Numbers[field.name])
		if err != nil {
			n = -1 // outside the limits
		}
		*field.at(&rules) = n
	}
	for c, s := range f.Severities {
		rules.Chosen[c] = dispatch.Severity(s)
	}
	return rules, rules.Validate()
}
