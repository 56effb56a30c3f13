package compose

import (
	"testing"

	"utsending/internal/dispatch"
)

// TestWordsOfApproval: what the reader can do in spite of a warning, and whether an approver can only return it.
func TestWordsOfApproval(t *testing.T) {
	t.Parallel()
	asks, decides := Approving{Reasons: []dispatch.ApprovalReason{dispatch.ApprovalCost}}, Approving{Deciding: true}
	changed := dispatch.Problems{{Field: "neste", Key: "problem.approval.changed"}}
	stopped := Approving{Deciding: true, Stops: changed}
	if own := (Approving{}).anyway(true); own != "today.anyway" || asks.anyway(true) != "today.anyway.asks" || asks.anyway(false) != "" || decides.anyway(true) != "" {
		t.Errorf("got %q, %q, %q, %q", own, asks.anyway(true), asks.anyway(false), decides.anyway(true))
	}
	if decides.stopped(nil) || !decides.stopped(changed) || !stopped.stopped(nil) || decides.lead("", changed) != "approval.stopped.lead" || decides.lead("", nil) != "approval.decide.lead" {
		t.Error("what cannot be approved is offered to be")
	}
}
