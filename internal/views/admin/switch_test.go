package admin

import "testing"

// TestMoving: what the new integration cannot send is not counted as going there.
func TestMoving(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ free, stay, want int }{{3, 0, 3}, {3, 2, 1}, {2, 2, 0}, {1, 2, 0}} {
		if got := (SwitchPage{Free: test.free, Readiness: Readiness{Stay: test.stay}}).moving(); got != test.want {
			t.Errorf("%d free, %d stay: got %d, want %d", test.free, test.stay, got, test.want)
		}
	}
}
