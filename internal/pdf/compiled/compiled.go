// Package compiled tells where the compiled code of the PDF engine is kept: for those who start children that read it, and
// for the engine itself.
package compiled

import (
	"fmt"
	"os"
	"path/filepath"
)

// Dir is a directory that only this user can reach, made if need be: in memory first, since a container's disk may be
// read-only. It is empty when there is none.
func Dir() string {
	for _, above := range []string{"/dev/shm", os.TempDir()} {
		dir := filepath.Join(above, fmt.Sprintf("utsending-pdfium-%d", os.Getuid()))
		if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
			continue
		}
		if private(dir) {
			return dir
		}
	}
	return ""
}
