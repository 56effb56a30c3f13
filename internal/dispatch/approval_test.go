package dispatch_test

import (
	"fmt"
	"testing"

	"utsending/internal/dispatch"
)

// TestApprovalReasons: when an account demands approval.
func TestApprovalReasons(t *testing.T) {
	prices := dispatch.Prices{SMS: dispatch.PriceOf(50), Print: dispatch.PriceOf(1200), Digital: dispatch.PriceOf(400)}
	many := dispatch.Job{Segments: 200}
	many.List.Valid = 100
	letter := dispatch.Shipment{Confidential: true}
	for name, c := range map[string]struct {
		rule                    dispatch.ApprovalRule
		of                      dispatch.Sending
		byTemplate, toProtected bool
		want                    string
	}{
		"no rule":                              {of: many.Sending(prices), want: "[]"},
		"as many recipients":                   {rule: dispatch.ApprovalRule{Recipients: 100}, of: many.Sending(prices), want: "[recipients]"},
		"fewer recipients":                     {rule: dispatch.ApprovalRule{Recipients: 101}, of: many.Sending(prices), want: "[]"},
		"as costly":                            {rule: dispatch.ApprovalRule{Cost: 10000}, of: many.Sending(prices), want: "[cost]"},
		"cheaper":                              {rule: dispatch.ApprovalRule{Cost: 10001}, of: many.Sending(prices), want: "[]"},
		"no price":                             {rule: dispatch.ApprovalRule{Cost: 1}, of: many.Sending(dispatch.Prices{}), want: "[]"},
		"an SMS by its segments":               {rule: dispatch.ApprovalRule{Cost: 150}, of: dispatch.SMS{}.Sending(prices, 3), want: "[cost]"},
		"shipments by what they cost on paper": {rule: dispatch.ApprovalRule{Cost: 3600}, of: letter.Sending(prices.OfList(letter, dispatch.Division{}, nil, 3), ""), want: "[cost]"},
		"all":                                  {rule: dispatch.ApprovalRule{Recipients: 1, Cost: 1, Sensitive: true}, of: letter.Sending(prices.OfList(letter, dispatch.Division{}, nil, 1), ""), byTemplate: true, want: "[recipients cost template sensitive]"},
	} {
		if got := fmt.Sprint(c.rule.Reasons(c.of, c.byTemplate, c.toProtected)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
