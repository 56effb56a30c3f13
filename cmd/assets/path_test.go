package main

import "testing"

func TestRoundPath(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"keeps what is short", "M12 2.5L3 4Z", "M12 2.5L3 4Z"},
		{"rounds to two decimals", "M12.75 2.08579C12.41421 1.755 12 1.75 11.5858 1.75Z", "M12.75 2.09C12.41 1.76 12 1.75 11.59 1.75Z"},
		{"drops leading zeros", "M0.5 0.25L-0.75 10", "M.5.25L-.75 10"},
		{"has no negative zero", "M-0.001 -0.004L1 -2", "M0 0L1-2"},
		{"keeps two numbers apart that were told apart by a point", "M1.999.5L.5.25", "M2 .5L.5.25"},
		{"reads exponents", "M1e-3 2.5E1", "M0 25"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := roundPath(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestRoundPathRefuses(t *testing.T) {
	t.Parallel()
	for _, d := range []string{"M1 1l2 2", "M1 1A5 5 0 015 5", "M1 1 NaN"} {
		if got, err := roundPath(d); err == nil {
			t.Errorf("%q: got %q, want an error", d, got)
		}
	}
}
