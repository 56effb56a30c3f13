package admin

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// AdminAccountsPage lists all accounts for administrators.
type AdminAccountsPage struct {
	views.Page
	Rows []AccountLine
}

// AccountLine is one account in the administrators' list.
type AccountLine struct {
	dispatch.Account
	SMS, Shipments *IntegrationLine // nil: none
}

// look is the account's state (ui-spec 6.7).
func (r AccountLine) look(ctx context.Context, now time.Time) views.Look {
	switch {
	case r.Disabled():
		return views.Look{Word: i18n.T(ctx, "account.state.disabled"), Color: "neutral", Icon: "LinkBroken"}
	case r.SMS == nil && r.Shipments == nil:
		return views.Look{Word: i18n.T(ctx, "account.state.missing"), Color: "warning", Icon: "ExclamationmarkTriangle"}
	}
	if in := r.blocked(now); in != nil {
		return views.Look{Word: i18n.T(ctx, "account.state."+string(in.State(in.Sets, now)), "Name", in.Name), Color: "warning", Icon: "ExclamationmarkTriangle"}
	}
	return views.Look{Word: i18n.T(ctx, "account.state.active"), Color: "success", Icon: "CheckmarkCircle"}
}

// blocked is the first of the account's integrations that sends nothing now; nil: none.
func (r AccountLine) blocked(now time.Time) *IntegrationLine {
	for _, in := range []*IntegrationLine{r.SMS, r.Shipments} {
		if in != nil && !in.sends(now) {
			return in
		}
	}
	return nil
}

// AccountForm is the form of an account, as typed.
type AccountForm struct {
	Name, Slug, OrganizationNumber                     string
	SMSIntegration, SMSAccountID, SenderName           string
	ShipmentAccountID, SourceSystem, BillingCode, Undo string
	SingleSided, Color                                 bool
	WatchWords, DaytimeFrom, DaytimeTo, SMSLimit       string
	PriceSMS, PriceDigital, PricePrint, Unread         string
	PriceSheet, PriceColor, PriceGiro                  string
	Budget, BudgetRule                                 string
	CoverSheet, Workdays, ReferenceFill, HolidaysCount bool
	ReferencePattern, ReferenceUnit                    string
	Reply                                              dispatch.PostalFields
	ReplyNumber                                        string
	Archive                                            dispatch.ArchiveDefaults
	ApprovalRecipients, ApprovalCost                   string
	ApprovalSensitive, ApprovalTemplates               bool
	Health                                             bool // it may send into the health network
	Version                                            string
}

// NewAccountForm is the form of an account as it is now.
func NewAccountForm(a dispatch.Account) AccountForm {
	f := AccountForm{
		Name: a.Name, Slug: a.Slug, OrganizationNumber: string(a.OrganizationNumber), SMSIntegration: string(a.SMSIntegration),
		SMSAccountID: a.SMSAccountID, SenderName: a.SenderName, ShipmentAccountID: a.ShipmentAccountID, SourceSystem: a.SourceSystem,
		BillingCode: a.BillingCode, Undo: strconv.Itoa(int(a.UndoWindow / time.Second)), SingleSided: a.SingleSided, Color: a.Color,
		Version: strconv.Itoa(a.Version), WatchWords: a.WatchWords,
		Reply: dispatch.ReplyFields(a), ReplyNumber: string(a.Reply.Digital.OrganizationNumber), Archive: a.Archive,
	}
	f.Health = a.Health
	f.Workdays, f.HolidaysCount = a.Daytime.Workdays, a.HolidaysCount
	f.ReferencePattern, f.ReferenceUnit, f.ReferenceFill = a.References.Pattern, a.References.Unit, a.References.Fill
	if !a.Daytime.AllDay() {
		f.DaytimeFrom, f.DaytimeTo = views.Opens(a), views.Closes(a)
	}
	f.PriceSMS, f.PriceDigital, f.PricePrint = priceText(a.Prices.SMS), priceText(a.Prices.Digital), priceText(a.Prices.Print)
	f.PriceSheet, f.PriceColor, f.PriceGiro = amountText(a.Prices.Sheet), amountText(a.Prices.Color), amountText(a.Prices.Giro)
	f.CoverSheet, f.Budget, f.BudgetRule = a.Prices.CoverSheet, amountText(a.Budget.Limit), string(a.Budget.Rule)
	if a.UnreadAfter > 0 {
		f.Unread = strconv.Itoa(int(a.UnreadAfter / time.Hour))
	}
	if f.ApprovalSensitive, f.ApprovalTemplates = a.Approval.Sensitive, a.Approval.Templates; a.Approval.Recipients > 0 {
		f.ApprovalRecipients = strconv.Itoa(a.Approval.Recipients)
	}
	f.ApprovalCost = amountText(a.Approval.Cost)
	if a.SMSLimit > 0 {
		f.SMSLimit = strconv.Itoa(a.SMSLimit)
	}
	return f
}

// Parse applies the form to an account and returns the problems. The short name is only read for a new account.
func (f AccountForm) Parse(a dispatch.Account) (dispatch.Account, dispatch.Problems) {
	if a.ID == "" {
		a.Slug = strings.TrimSpace(f.Slug)
	}
	a.Name, a.SenderName = strings.Join(strings.Fields(f.Name), " "), strings.TrimSpace(f.SenderName)
	a.OrganizationNumber = dispatch.OrganizationNumber(strings.Join(strings.Fields(f.OrganizationNumber), ""))
	a.SMSIntegration = dispatch.IntegrationID(f.SMSIntegration)
	a.SMSAccountID, a.ShipmentAccountID = strings.TrimSpace(f.SMSAccountID), strings.TrimSpace(f.ShipmentAccountID)
	a.SourceSystem, a.BillingCode = strings.TrimSpace(f.SourceSystem), strings.TrimSpace(f.BillingCode)
	a.SingleSided, a.Color = f.SingleSided, f.Color
	if a.Generation().Row().Recipients&dispatch.ToHealth != 0 { // else it is not asked for, and stays
		a.Health = f.Health
	}
	a.Version = views.TypedVersion(f.Version)
	seconds, err := views.TypedNumber(f.Undo)
	if err != nil {
		seconds = -1 // not a number: outside the limits
	}
	a.UndoWindow = time.Duration(seconds) * time.Second
	a.WatchWords = strings.Join(dispatch.WatchWords(f.WatchWords), "\n")
	a.Daytime, a.SMSLimit = f.daytime(), f.limit()
	a.Prices = dispatch.Prices{SMS: parsePrice(f.PriceSMS), Digital: parsePrice(f.PriceDigital), Print: parsePrice(f.PricePrint),
		Sheet: parsePrice(f.PriceSheet).Ore, Color: parsePrice(f.PriceColor).Ore, Giro: parsePrice(f.PriceGiro).Ore, CoverSheet: f.CoverSheet}
	if a.Budget = (dispatch.Budget{Limit: parseAmount(f.Budget, budgetMost).Ore}); a.Budget.Limit != 0 {
		a.Budget.Rule = dispatch.BudgetRule(f.BudgetRule)
	}
	a.UnreadAfter, a.HolidaysCount = f.unread(), f.HolidaysCount
	a.References = f.references()
	a.Approval = dispatch.ApprovalRule{Recipients: countTyped(f.ApprovalRecipients), Cost: f.approvalCost(), Sensitive: f.ApprovalSensitive, Templates: f.ApprovalTemplates}
	a.Archive = tidyArchive(f.Archive)
	reply, ps := dispatch.ParseReply(f.Reply, f.ReplyNumber, dispatch.ParseReplyOrganization)
	if a.Reply = (dispatch.Address{}); reply != nil {
		a.Reply = *reply
	}
	return a, ps.With(a.Validate())
}

// approvalCost is the typed limit in øre; 0 if none is typed, and out of range if 0 is typed or the text is malformed.
func (f AccountForm) approvalCost() int {
	limit := parseAmount(f.ApprovalCost, budgetMost)
	if limit == dispatch.PriceOf(0) {
		return -1
	}
	return limit.Ore
}

// priceText formats a price for its field: "0,45"; none is empty.
func priceText(p dispatch.Price) string {
	if !p.Known {
		return ""
	}
	return kroner(p.Ore)
}

// amountText formats an amount for its field; 0 is empty.
func amountText(ore int) string {
	if ore == 0 {
		return ""
	}
	return kroner(ore)
}

func kroner(ore int) string { return fmt.Sprintf("%s,%02d", views.Number(ore/100), ore%100) }

// parsePrice parses a price in kroner as øre; empty is none, and an invalid price, or one with fractions of an øre,
// is outside the limits.
func parsePrice(typed string) dispatch.Price { return parseAmount(typed, 10_000) }

// budgetMost is the largest budget in kroner, as dispatch.Account.Validate has it in øre.
const budgetMost = 10_000_000

func parseAmount(typed string, most float64) dispatch.Price {
	if !views.Filled(typed) {
		return dispatch.Price{}
	}
	kr, err := views.TypedDecimal(typed)
	if err != nil || !(kr >= 0 && kr <= most) {
		return dispatch.PriceOf(-1)
	}
	ore := math.Round(kr * 100)
	if math.Abs(kr*100-ore) > 1e-6 {
		return dispatch.PriceOf(-1)
	}
	return dispatch.PriceOf(int(ore))
}

// unread parses hours; empty is none, and anything but a number above 0 is outside the limits.
func (f AccountForm) unread() time.Duration {
	if !views.Filled(f.Unread) {
		return 0
	}
	hours, err := views.TypedNumber(f.Unread)
	if err != nil || hours < 1 || hours > 10_000 {
		return -time.Hour
	}
	return time.Duration(hours) * time.Hour
}

func tidyArchive(d dispatch.ArchiveDefaults) dispatch.ArchiveDefaults {
	return dispatch.ArchiveDefaults{
		CasePostType: strings.TrimSpace(d.CasePostType), CaseStatus: strings.TrimSpace(d.CaseStatus),
		ImportPostType: strings.TrimSpace(d.ImportPostType), ImportStatus: strings.TrimSpace(d.ImportStatus),
	}
}

// daytime parses when SMS are sent; both times empty are the whole day, and invalid text gives an invalid daytime.
func (f AccountForm) daytime() dispatch.Daytime {
	if !views.Filled(f.DaytimeFrom) && !views.Filled(f.DaytimeTo) {
		return dispatch.Daytime{Workdays: f.Workdays}
	}
	from, fromOK := dispatch.ParseClock(f.DaytimeFrom)
	to, toOK := dispatch.ParseClock(f.DaytimeTo)
	if !fromOK || !toOK || to == 0 {
		return dispatch.Daytime{From: -1}
	}
	return dispatch.Daytime{From: from, To: to, Workdays: f.Workdays}
}

// limit parses the monthly limit of segments.
func (f AccountForm) limit() int { return countTyped(f.SMSLimit) }

// countTyped parses a positive number; empty is 0, and anything else is outside the limits.
func countTyped(typed string) int {
	if !views.Filled(typed) {
		return 0
	}
	n, err := views.TypedNumber(typed)
	if err != nil || n == 0 {
		return -1
	}
	return n
}

// references is the rule as typed.
func (f AccountForm) references() dispatch.ReferenceRule {
	return dispatch.ReferenceRule{Pattern: strings.TrimSpace(f.ReferencePattern), Unit: strings.TrimSpace(f.ReferenceUnit), Fill: f.ReferenceFill}
}

// Within resets the fields that only system administrators may change: the account's name, and its ids at the
// services.
func (f AccountForm) Within(a dispatch.Account) AccountForm {
	now := NewAccountForm(a)
	f.Name, f.Slug, f.OrganizationNumber = now.Name, now.Slug, now.OrganizationNumber
	f.SMSIntegration, f.SMSAccountID = now.SMSIntegration, now.SMSAccountID
	f.ShipmentAccountID, f.SourceSystem, f.Health = now.ShipmentAccountID, now.SourceSystem, now.Health
	return f
}

// AccountFormPage creates or changes an account.
type AccountFormPage struct {
	views.Page
	Row          AccountLine // zero: a new account
	Form         AccountForm
	Integrations []dispatch.Integration
	Quota        dispatch.Quota // present use
	Other        views.Other    // saved by another administrator meanwhile
}

// replyLabel is the catalogue key of the label of the number that answers go to, which some generations demand.
func (p AccountFormPage) replyLabel() string {
	if p.Row.ShipmentKind != "" && p.Row.Generation().Row().ReplyNumber {
		return "shipment.number.organization"
	}
	return "account.reply.number"
}

// hasExtras tells whether something is typed as an extra of paper letters, or wrong there.
func (p AccountFormPage) hasExtras() bool {
	return p.Form.PriceSheet+p.Form.PriceColor+p.Form.PriceGiro != "" || p.Form.CoverSheet ||
		slices.ContainsFunc(p.Problems, func(wrong dispatch.Problem) bool {
			return slices.Contains([]string{dispatch.FieldPriceSheet, dispatch.FieldPriceColor, dispatch.FieldPriceGiro}, wrong.Field)
		})
}

// wrongReply tells whether the reply address has a problem.
func (p AccountFormPage) wrongReply() bool {
	for _, problem := range p.Problems {
		if strings.HasPrefix(problem.Field, "svar-") {
			return true
		}
	}
	return false
}

// isNew tells whether the form creates an account.
func (p AccountFormPage) isNew() bool { return p.Row.ID == "" }

// of are the integrations for one channel.
func (p AccountFormPage) of(shipments bool) []dispatch.Integration {
	var list []dispatch.Integration
	for _, in := range p.Integrations {
		if in.Kind.Shipments() == shipments {
			list = append(list, in)
		}
	}
	return list
}

// SwitchPage moves an account's shipments to another integration, after a readiness test.
type SwitchPage struct {
	views.Page
	Row          AccountLine
	To           dispatch.Integration   // zero: none chosen
	Integrations []dispatch.Integration // to choose from
	Readiness
	Pinned  int // queued and pinned to the old integration
	Free    int // queued, never attempted
	Pending int // uncertain
}

// moving are the queued shipments that go the new way: all that were never attempted, unless it could not send them.
func (p SwitchPage) moving() int { return max(p.Free-p.Stay, 0) }

// switchTo describes the switch: to a first or another integration, or to none.
func (p SwitchPage) switchTo(ctx context.Context) string {
	switch {
	case p.To.ID == "":
		return i18n.T(ctx, "switch.to_none")
	case p.Row.Shipments == nil:
		return i18n.T(ctx, "switch.do.first", "Name", p.To.Name)
	}
	return i18n.T(ctx, "switch.do", "Name", p.To.Name)
}

// switchLink is the key of the link to the page that moves the account's shipments.
func (r AccountLine) switchLink() string {
	if r.Shipments == nil {
		return "account.connect"
	}
	return "account.switch"
}

// SwitchTitle is the key of that page's title.
func (r AccountLine) SwitchTitle() string {
	if r.Shipments == nil {
		return "switch.title.first"
	}
	return "switch.title"
}

// NoIntegration is the value of the choice that an account shall send no shipments; empty is no choice.
const NoIntegration = "ingen"

func versionOf(r AccountLine) string { return strconv.Itoa(r.Version) }

// RightsPage maps values of the rights claim to roles.
type RightsPage struct {
	views.Page
	Claim    string // name of the login's rights claim
	Rows     []RightsLine
	Accounts []dispatch.Account
	Form     RightsForm
	Fresh    bool // the login is recent enough to give and remove rights
}

// RightsLine is one mapping; the account is zero for the whole system.
type RightsLine struct {
	ID      string
	Claim   string
	Account dispatch.Account
	Role    dispatch.Role
	Clash   dispatch.Clash
}

// RightsForm is a new mapping of one or more claim values, as typed.
type RightsForm struct{ Claim, Account, Role string }

// EverywhereValue is the value of the account field that means the whole system: it must be chosen, so that an empty field cannot
// mean it.
const EverywhereValue = "-"

// Fields of a mapping.
const (
	FieldClaim   = "verdi"
	FieldRole    = "rolle"
	FieldAccount = "konto"
)
