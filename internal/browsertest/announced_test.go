package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestWaitAnnounced: an announcement is found although the next one has taken its place, and is found once.
func TestWaitAnnounced(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>t</title><p id="region" aria-live="polite"></p><p id="other"></p><script>
			const say = (id, text, then) => setTimeout(() => { document.getElementById(id).textContent = text; then?.(); });
			say("other", "not announced", () => say("region", "first", () => say("region", "second", () => say("region", "first again"))));
		</script>`)
	}))
	t.Cleanup(server.Close)
	p := Start(t).Page(t, PageOptions{})
	p.Go(server.URL)
	p.WaitText("#region", "first again")
	p.WaitAnnounced("first")
	p.WaitAnnounced("second")
	p.WaitAnnounced("first")
	if left := read[[]string](p, "read what is left", "window.announced"); len(left) != 0 {
		t.Errorf("left is %q", left)
	}
}
