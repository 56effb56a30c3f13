package dispatch

import "testing"

// TestDue: the sum of both kinds is exact, or a round number where one of them is counted no further.
func TestDue(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sms, shipments Waits
		want           Waits
	}{
		"both":           {Waits{N: 12}, Waits{N: 4}, Waits{N: 16}},
		"more SMS":       {Waits{N: 10_000, Above: true}, Waits{N: 4}, Waits{N: 10_000, Above: true}},
		"more shipments": {Waits{N: 12}, Waits{N: 10_000, Above: true}, Waits{N: 10_000, Above: true}},
	} {
		if got := (Standing{SMS: tt.sms, Shipments: tt.shipments}).Due(); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}
