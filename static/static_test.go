package static

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

const manifest = `{
  "app.css": "app-AAAAAAAA.css",
  "app.js": "app-BBBBBBBB.js",
  "icons.svg": "icons-CCCCCCCC.svg",
  "inter.woff2": "inter-DDDDDDDD.woff2"
}`

func built() fstest.MapFS {
	return fstest.MapFS{
		".keep":                 {},
		"manifest.json":         {Data: []byte(manifest)},
		"app-AAAAAAAA.css":      {Data: []byte("body{}")},
		"app-AAAAAAAA.css.gz":   {Data: []byte("small css")},
		"app-BBBBBBBB.js":       {Data: []byte("go()")},
		"app-BBBBBBBB.js.gz":    {Data: []byte("small js")},
		"icons-CCCCCCCC.svg":    {Data: []byte("<svg/>")},
		"icons-CCCCCCCC.svg.gz": {Data: []byte("small svg")},
		"inter-DDDDDDDD.woff2":  {Data: []byte("font")},
	}
}

func mustLoad(t *testing.T) *Assets {
	t.Helper()
	a, err := load(built())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func get(t *testing.T, method, target, acceptEncoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	if acceptEncoding != "" {
		r.Header.Set("Accept-Encoding", acceptEncoding)
	}
	w := httptest.NewRecorder()
	mustLoad(t).Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestLoad(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(fstest.MapFS)
		want   string
	}{
		{"asks for the asset step without a manifest", func(m fstest.MapFS) { delete(m, "manifest.json") }, "run the asset step first: make assets"},
		{"refuses a manifest that is not JSON", func(m fstest.MapFS) { m["manifest.json"].Data = []byte("{") }, "manifest.json: "},
		{"refuses a manifest that names a missing file", func(m fstest.MapFS) { delete(m, "app-BBBBBBBB.js") }, "app-BBBBBBBB.js"},
		{"refuses a kind of file it has no type for", func(m fstest.MapFS) { m["manifest.json"].Data = []byte(`{"x.exe":"x-A.exe"}`) }, "unknown kind of file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := built()
			test.change(files)
			if _, err := load(files); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	a := mustLoad(t)

	if got, want := a.Path("app.css"), "/static/app-AAAAAAAA.css"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	t.Run("gives an unknown name an address that answers 404", func(t *testing.T) {
		t.Parallel()
		if got := get(t, "GET", a.Path("nothing.css"), "").StatusCode; got != http.StatusNotFound {
			t.Errorf("got %d, want 404", got)
		}
	})
}

func TestHandlerHeaders(t *testing.T) {
	t.Parallel()
	tests := []struct{ target, wantType string }{
		{"/static/app-AAAAAAAA.css", "text/css; charset=utf-8"},
		{"/static/app-BBBBBBBB.js", "text/javascript; charset=utf-8"},
		{"/static/icons-CCCCCCCC.svg", "image/svg+xml"},
		{"/static/inter-DDDDDDDD.woff2", "font/woff2"},
	}
	for _, test := range tests {
		t.Run(test.target, func(t *testing.T) {
			t.Parallel()
			r := get(t, "GET", test.target, "gzip")
			want := map[string]string{
				"Content-Type":           test.wantType,
				"Cache-Control":          "public, max-age=31536000, immutable",
				"X-Content-Type-Options": "nosniff",
			}
			for header, value := range want {
				if got := r.Header.Get(header); got != value {
					t.Errorf("got %s %q, want %q", header, got, value)
				}
			}
		})
	}
}

func TestHandlerCompression(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, target, accept, wantEncoding, wantVary, wantBody string }{
		{"sends the compressed copy when it is accepted", "/static/app-AAAAAAAA.css", "br, gzip", "gzip", "Accept-Encoding", "small css"},
		{"reads weights", "/static/app-AAAAAAAA.css", "br;q=1.0, GZIP; q=0.5", "gzip", "Accept-Encoding", "small css"},
		{"sends the file itself when it is refused", "/static/app-AAAAAAAA.css", "gzip;q=0", "", "Accept-Encoding", "body{}"},
		{"sends the file itself when nothing is said", "/static/app-AAAAAAAA.css", "", "", "Accept-Encoding", "body{}"},
		{"has no copies of fonts", "/static/inter-DDDDDDDD.woff2", "gzip", "", "", "font"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := get(t, "GET", test.target, test.accept)
			if got := r.Header.Get("Content-Encoding"); got != test.wantEncoding {
				t.Errorf("got Content-Encoding %q, want %q", got, test.wantEncoding)
			}
			if got := r.Header.Get("Vary"); got != test.wantVary {
				t.Errorf("got Vary %q, want %q", got, test.wantVary)
			}
			if got := body(t, r); got != test.wantBody {
				t.Errorf("got %q, want %q", got, test.wantBody)
			}
		})
	}
}

func TestHandlerMethods(t *testing.T) {
	t.Parallel()

	t.Run("HEAD says the length and sends nothing", func(t *testing.T) {
		t.Parallel()
		r := get(t, "HEAD", "/static/app-AAAAAAAA.css", "gzip")
		if got, want := r.Header.Get("Content-Length"), "9"; got != want {
			t.Errorf("got Content-Length %q, want %q", got, want)
		}
		if got := body(t, r); got != "" {
			t.Errorf("got a body %q, want none", got)
		}
	})

	t.Run("refuses other methods", func(t *testing.T) {
		t.Parallel()
		r := get(t, "POST", "/static/app-AAAAAAAA.css", "")
		if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("got %d, Allow %q", r.StatusCode, r.Header.Get("Allow"))
		}
	})
}

func TestHandlerNotFound(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"/static/", "/static/app.css", "/static/manifest.json", "/static/.keep", "/static/app-AAAAAAAA.css.gz",
		"/static/../static.go", "/app-AAAAAAAA.css", "/static/app-AAAAAAAA.css/",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			r := get(t, "GET", target, "gzip")
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("got %d, want 404", r.StatusCode)
			}
			if got := r.Header.Get("Cache-Control"); got != "" {
				t.Errorf("got Cache-Control %q on a missing file, want none", got)
			}
		})
	}
}
