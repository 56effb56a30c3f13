package pdf

import (
	"runtime"
	"testing"
)

func TestTellsHowAChildIsConfined(t *testing.T) {
	t.Parallel()
	known := runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	if got, err := New(child(t, partReal, Options{})).Confinement(t.Context()); err != nil || got.Filtered != known {
		t.Errorf("got %+v, %v, want a filter: %t", got, err, known)
	}
	if got, err := New(child(t, partDeaf, Options{})).Confinement(t.Context()); err != nil || got.Filtered {
		t.Errorf("got %+v, %v from a child that knows no filter", got, err)
	}
	if _, err := New(child(t, partRefuse, Options{})).Confinement(t.Context()); err == nil {
		t.Error("got no error from a child that cannot confine itself")
	}
}
