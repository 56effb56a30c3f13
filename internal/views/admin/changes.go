package admin

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/views"
)

// accountChoices are the choices of an account's form that the event log tells by value, beside its texts.
var accountChoices = []struct {
	label string
	value func(*AccountForm) *bool
}{
	{"account.single_sided", func(f *AccountForm) *bool { return &f.SingleSided }},
	{"account.color", func(f *AccountForm) *bool { return &f.Color }},
	{"account.price.cover_sheet", func(f *AccountForm) *bool { return &f.CoverSheet }},
	{"account.workdays", func(f *AccountForm) *bool { return &f.Workdays }},
	{"account.reference.fill", func(f *AccountForm) *bool { return &f.ReferenceFill }},
	{"account.holidays_count", func(f *AccountForm) *bool { return &f.HolidaysCount }},
	{"account.approval.sensitive", func(f *AccountForm) *bool { return &f.ApprovalSensitive }},
	{"account.approval.templates", func(f *AccountForm) *bool { return &f.ApprovalTemplates }},
	{"account.health", func(f *AccountForm) *bool { return &f.Health }},
}

// Labels of what the event log tells of an account, beside those of its form.
const (
	labelWatchWords = "account.watch_words" // without values: they may be anybody's words
	labelBudgetRule = "account.budget.rule"
	labelSMS        = "audit.changed.sms_integration"
)

// AccountChanges returns the settings that differ between two states of an account, for the event log. Settings that may be personal,
// such as an address, have no values.
func AccountChanges(before, after dispatch.Account) (list []dispatch.SettingChange) {
	was, is := NewAccountForm(before), NewAccountForm(after)
	whole := [2]AccountForm{was, is}
	old, now := accountTexts(&was), accountTexts(&is)
	for i, label := range accountLabels {
		changed := dispatch.ChangedSetting(label, *old[i], *now[i])
		if label == labelWatchWords && len(changed) > 0 {
			changed = []dispatch.SettingChange{{What: label}}
		}
		list = append(list, changed...)
		*old[i], *now[i] = "", ""
	}
	for _, c := range accountChoices {
		list = append(list, dispatch.ChangedSetting(c.label, strconv.FormatBool(*c.value(&was)), strconv.FormatBool(*c.value(&is)))...)
		*c.value(&was), *c.value(&is) = false, false
	}
	usual := string(dispatch.BudgetRules()[0]) // as the form says when nothing is chosen
	for _, c := range []struct{ label, before, after string }{
		{labelBudgetRule, cmp.Or(was.BudgetRule, usual), cmp.Or(is.BudgetRule, usual)}, {labelSMS, was.SMSIntegration, is.SMSIntegration},
		{"account.approval.recipients", was.ApprovalRecipients, is.ApprovalRecipients}, {"account.approval.cost", was.ApprovalCost, is.ApprovalCost},
	} {
		list = append(list, dispatch.ChangedSetting(c.label, c.before, c.after)...)
	}
	for _, f := range []*AccountForm{&was, &is} {
		f.BudgetRule, f.SMSIntegration, f.ApprovalRecipients, f.ApprovalCost, f.Version, f.Slug = "", "", "", "", "", ""
	}
	if whole[0].Reply != whole[1].Reply || whole[0].ReplyNumber != whole[1].ReplyNumber {
		list = append(list, dispatch.SettingChange{What: "account.reply"})
		is.Reply, is.ReplyNumber = was.Reply, was.ReplyNumber
	}
	if !reflect.DeepEqual(was, is) {
		list = append(list, dispatch.SettingChange{What: otherChoices})
	}
	return list
}

// PrintRulesChanges are what differs between two forms of an account's print rules, for the event log.
func PrintRulesChanges(was, is PrintRulesForm) (list []dispatch.SettingChange) {
	list = dispatch.ChangedSetting("print_rules.cover_sheet", strconv.FormatBool(was.CoverSheet), strconv.FormatBool(is.CoverSheet))
	for _, f := range ruleFields {
		list = append(list, dispatch.ChangedSetting(f.label, was.Numbers[f.name], is.Numbers[f.name])...)
	}
	for _, c := range dispatch.ChosenChecks() {
		if was.Severities[c] != is.Severities[c] {
			return append(list, dispatch.SettingChange{What: otherChoices})
		}
	}
	return list
}

// IntegrationChanges are what differs between two states of an integration, for the event log.
func IntegrationChanges(before, after dispatch.Integration) []dispatch.SettingChange {
	was, is := NewIntegrationForm(before), NewIntegrationForm(after)
	return slices.Concat(dispatch.ChangedSetting("integration.name", was.Name, is.Name), dispatch.ChangedSetting("integration.parallelism", was.Parallelism, is.Parallelism),
		dispatch.ChangedSetting("integration.rate", was.Rate, is.Rate), dispatch.ChangedSetting("integration.no_ids", strconv.FormatBool(was.NoReservedIDs), strconv.FormatBool(is.NoReservedIDs)),
		dispatch.ChangedSetting("integration.deployed", strconv.FormatBool(was.Wire == "deployed"), strconv.FormatBool(is.Wire == "deployed")))
}

// ThemeChanges are what differs between two appearances, for the event log. That the logo differs is told, not how.
func ThemeChanges(was, is dispatch.Theme, logoBefore, logoAfter []byte) []dispatch.SettingChange {
	list := slices.Concat(dispatch.ChangedSetting("appearance.name", was.Name, is.Name),
		dispatch.ChangedSetting("appearance.light", string(was.Light), string(is.Light)), dispatch.ChangedSetting("appearance.dark", string(was.Dark), string(is.Dark)))
	if !bytes.Equal(logoBefore, logoAfter) {
		list = append(list, dispatch.SettingChange{What: "appearance.logo"})
	}
	return list
}

// FailingChanges are what differs between two rules of when much fails, for the event log; 0 is the installation's value.
func FailingChanges(was, is dispatch.FailingRule) []dispatch.SettingChange {
	value := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return slices.Concat(dispatch.ChangedSetting("account_alarms.least", value(was.Least), value(is.Least)), dispatch.ChangedSetting("account_alarms.percent", value(was.Percent), value(is.Percent)))
}

// changes are the settings that were changed, each with its former and its new value if they are told.
func (l LogLine) changes(ctx context.Context, value any) (list []string) {
	all, _ := value.([]any)
	var names []string
	for _, one := range all {
		c, _ := one.(map[string]any)
		what, _ := c["what"].(string)
		before, _ := c["before"].(string)
		after, _ := c["after"].(string)
		if before == "" && after == "" {
			names = append(names, settingName(ctx, what))
			continue
		}
		list = append(list, l.changed(ctx, dispatch.SettingChange{What: what, Before: before, After: after}))
	}
	if len(names) > 0 {
		list = append(list, i18n.T(ctx, "audit.detail.changed")+": "+strings.Join(names, ", "))
	}
	return list
}

// changed tells a setting's former and new value; retention times are days.
func (l LogLine) changed(ctx context.Context, c dispatch.SettingChange) string {
	before, after := l.settingValue(ctx, c.What, c.Before), l.settingValue(ctx, c.What, c.After)
	if slices.Contains(keepingLabels(), c.What) {
		was, _ := strconv.Atoi(c.Before)
		is, _ := strconv.Atoi(c.After)
		before, after = views.Number(was), i18n.T(ctx, "audit.days", "N", is)
	}
	return i18n.T(ctx, "audit.change", "What", settingName(ctx, c.What), "Before", before, "After", after)
}

// keepingLabels are the catalogue keys of the retention times.
func keepingLabels() (labels []string) {
	for _, k := range dispatch.Keepings() {
		labels = append(labels, k.Label())
	}
	return labels
}

// settingName is a setting's label without the remark that it is optional. A label of another version is shown verbatim.
func settingName(ctx context.Context, label string) string {
	if !slices.Contains(settingLabels(), label) {
		return label
	}
	name := i18n.T(ctx, label)
	if bare, _, optional := strings.Cut(name, " ("); optional && strings.HasSuffix(name, ")") {
		return bare
	}
	return name
}

// settingLabels are the catalogue keys of all settings that the event log tells of.
func settingLabels() []string {
	labels := append(slices.Clone(accountLabels), labelBudgetRule, labelSMS, "account.approval.recipients", "account.approval.cost", "account.reply", otherChoices,
		"print_rules.cover_sheet", "integration.name", "integration.parallelism", "integration.rate", "integration.no_ids", "integration.deployed",
		"account_alarms.least", "account_alarms.percent", "appearance.name", "appearance.light", "appearance.dark", "appearance.logo")
	labels = append(labels, keepingLabels()...)
	for _, c := range accountChoices {
		labels = append(labels, c.label)
	}
	for _, f := range ruleFields {
		labels = append(labels, f.label)
	}
	return labels
}

// settingValue is a setting's value in words.
func (l LogLine) settingValue(ctx context.Context, label, value string) string {
	switch {
	case value == "":
		return i18n.T(ctx, "audit.change.empty")
	case value == "true":
		return i18n.T(ctx, "audit.yes")
	case value == "false":
		return i18n.T(ctx, "audit.no")
	case label == labelBudgetRule && slices.Contains(dispatch.BudgetRules(), dispatch.BudgetRule(value)):
		return i18n.T(ctx, "account.budget.rule."+value)
	case l.Names[value] != "":
		return l.Names[value]
	}
	return value
}
