package admin

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// TrialResult is how a trial went, step by step.
type TrialResult struct {
	Steps []dispatch.Trial
}

// Failed is the step where the trial stopped; empty when all went well.
func (t TrialResult) Failed() dispatch.TrialStep {
	for _, s := range t.Steps {
		if s.Failure.Key != "" {
			return s.Step
		}
	}
	return ""
}

// trialSummary is the catalogue key of how a trial went.
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
