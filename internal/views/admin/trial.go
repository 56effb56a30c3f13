package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// TrialResult is the result of a trial, step by step.
type TrialResult struct {
	Steps []dispatch.Trial
}

// Failed is the failed step; empty if none.
func (t TrialResult) Failed() dispatch.TrialStep {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Step
		}
	}
	return ""
}

// why is the catalogue key of what failed; empty if nothing did.
func (t TrialResult) why() string {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Failure.Key
		}
	}
	return ""
}

// trialSummary is the catalogue key of the trial's result.
func trialSummary(t TrialResult) string {
	if t.Failed() == "" {
		return "trial.worked"
	}
	return "trial.failed"
}

// trialLine names a step of a trial.
func trialLine(ctx context.Context, s dispatch.Trial) string {
	if s.Account != "" {
		return i18n.T(ctx, "trial.step.account", "Account", s.Account)
	}
	return i18n.T(ctx, "trial.step."+string(s.Step))
}
