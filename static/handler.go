package static

import (
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
)

// Handler serves the files in the manifest to GET and HEAD requests. It expects the whole path, including /static/. The manifest
// itself and the compressed copies have no address.
func (a *Assets) Handler() http.Handler {
	return http.HandlerFunc(a.serve)
}

func (a *Assets) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	name, below := strings.CutPrefix(r.URL.Path, prefix)
	f, known := a.files[name]
	if !below || !known {
		http.NotFound(w, r)
		return
	}
	a.write(w, r, f)
}

func (a *Assets) write(w http.ResponseWriter, r *http.Request, f file) {
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", f.contentType)

	name := f.name
	if f.compressed != "" {
		h.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Values("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			name = f.compressed
		}
	}
	content, size, err := a.open(name)
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	defer content.Close()
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = io.Copy(w, content) // the browser has disconnected
}

// open does not fail for an embedded file: Load has opened it before.
func (a *Assets) open(name string) (content fs.File, size int64, err error) {
	content, err = a.dist.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := content.Stat()
	if err != nil {
		_ = content.Close() // read only
		return nil, 0, err
	}
	return content, info.Size(), nil
}

// acceptsGzip reads Accept-Encoding: "br, gzip;q=0.8" takes it, "gzip;q=0" does not.
func acceptsGzip(headers []string) bool {
	for _, header := range headers {
		for part := range strings.SplitSeq(header, ",") {
			coding, parameter, _ := strings.Cut(part, ";")
			if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
				continue
			}
			weight, weighted := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
			q, err := strconv.ParseFloat(weight, 64)
			return !weighted || err == nil && q > 0
		}
	}
	return false
}
