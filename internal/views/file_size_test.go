package views

import (
	"context"
	"testing"

	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
)

// TestFileSize: what holds nothing is not said to hold something, and what holds little not to hold nothing. English has
// a decimal point.
func TestFileSize(t *testing.T) {
	t.Parallel()
	in := func(lang string) context.Context { return i18n.With(t.Context(), i18ntest.Languages(t).In(lang)) }
	for size, want := range map[int64]string{
		0: "0\u00a0kB", 1: "1\u00a0kB", 499: "1\u00a0kB", 1499: "1\u00a0kB", 29_400: "29\u00a0kB", 999_499: "999\u00a0kB", 999_500: "1,0\u00a0MB", 190_400_000: "190,4\u00a0MB",
		999_949_999: "999,9\u00a0MB", 999_950_000: "1,0\u00a0GB", 48_200_000_000: "48,2\u00a0GB",
	} {
		if got := FileSize(in("nb"), size); got != want {
			t.Errorf("%d bytes are written %q, want %q", size, got, want)
		}
	}
	if got := FileSize(in("en"), 190_400_000); got != "190.4\u00a0MB" {
		t.Errorf("in English 190 400 000 bytes are written %q", got)
	}
}
