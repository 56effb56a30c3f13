package pdf

import (
	"runtime"
	"testing"
)

func TestHearsOnlyWhatAChildSays(t *testing.T) {
	t.Parallel()
	for _, want := range []Confinement{{}, {Filtered: true}, {Landlocked: true}, {Filtered: true, Landlocked: true}} {
		var got Confinement
		if err := got.hear(want.tell()); err != nil || got != want {
			t.Errorf("%q is heard as %+v, %v", want.tell(), got, err)
		}
	}
	for _, line := range []string{"", "\n", "filtered\n", "confined", "confined filtered landlocked more\n", "confined landlocked filtered\n"} {
		if err := new(Confinement).hear(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

func TestTellsHowAChildIsConfined(t *testing.T) {
	t.Parallel()
	known := runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	if got, err := New(child(t, partReal, Options{})).Confinement(t.Context()); err != nil || got.Filtered != known {
		t.Errorf("got %+v, %v, want a filter: %t", got, err, known)
	}
	if got, err := New(child(t, partDeaf, Options{})).Confinement(t.Context()); err != nil || got.Filtered || got.Landlocked {
		t.Errorf("got %+v, %v from a child that knows no filter", got, err)
	}
	if _, err := New(child(t, partRefuse, Options{})).Confinement(t.Context()); err == nil {
		t.Error("got no error from a child that cannot confine itself")
	}
}
