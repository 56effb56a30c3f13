package dispatch

import (
	"slices"
	"strings"
	"testing"
)

func TestRightsValues(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("å", 200)
	for _, tt := range []struct {
		name, typed string
		want        []string
	}{
		{"takes one", " it-drift ", []string{"it-drift"}},
		{"takes one on each line", "a\r\n\r\n b\rc", []string{"a", "b", "c"}},
		{"takes the same once", "a\nb\n a", []string{"a", "b"}},
		{"counts characters", long, []string{long}},
		{"refuses what is too long", "a\n" + long + "x", nil},
		{"refuses nothing", " \r\n\t", nil},
		{"refuses what nobody sees", "it\x00drift", nil},
		{"refuses what is no text", "it\xffdrift", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := RightsValues(tt.typed)
			if !slices.Equal(got, tt.want) || ok != (tt.want != nil) {
				t.Errorf("got %q, %t", got, ok)
			}
			for _, v := range got { // as the page does when it removes one
				if again, _ := RightsValues(v); !slices.Equal(again, []string{v}) {
					t.Errorf("%q cannot be removed: it is read as %q", v, again)
				}
			}
		})
	}
}
