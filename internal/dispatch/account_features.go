package dispatch

// Feature is something that an account can have turned on.
type Feature string

// The features.
const (
	FeatureApproval  Feature = "approval"  // somebody else approves what is sent
	FeatureTemplates Feature = "templates" // somebody else approves templates
	FeatureDaytime   Feature = "daytime"
	FeatureLimit     Feature = "limit"
	FeatureBudget    Feature = "budget"
	FeaturePrices    Feature = "prices"
	FeatureWatch     Feature = "watch_words"
	FeatureUnread    Feature = "unread"
	FeatureReference Feature = "reference"
	FeatureArchive   Feature = "archive"
	FeaturePrint     Feature = "print_rules"
)

// Features returns what the account has turned on; what its integrations can do is not among it.
func (a Account) Features() (on []Feature) {
	for _, f := range []struct {
		feature Feature
		on      bool
	}{
		{FeatureApproval, a.Approval.Recipients > 0 || a.Approval.Cost > 0 || a.Approval.Sensitive},
		{FeatureTemplates, a.Approval.Templates},
		{FeatureDaytime, a.Daytime != Daytime{}},
		{FeatureLimit, a.SMSLimit > 0},
		{FeatureBudget, a.Budget.Limit > 0},
		{FeaturePrices, a.Prices != Prices{}},
		{FeatureWatch, a.WatchWords != ""},
		{FeatureUnread, a.UnreadAfter > 0},
		{FeatureReference, a.References.Pattern != ""},
		{FeatureArchive, a.Archive != ArchiveDefaults{}},
		{FeaturePrint, a.PrintRules != nil},
	} {
		if f.on {
			on = append(on, f.feature)
		}
	}
	return on
}
