// Package parser configures pdfcpu to use neither disk nor network, for package look and tests.
package parser

import (
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// The parser would look for its settings on the disk, and write them there. It is told once, from one place: files may be
// read side by side, and the parser guards this setting against nothing.
var leaveDiskAlone = sync.OnceFunc(func() { model.ConfigPath = "disable" })

// Configuration returns the parser's own settings, as lenient as readers are, with nothing fetched.
func Configuration() *model.Configuration {
	leaveDiskAlone()
	c := model.NewDefaultConfiguration()
	c.Offline = true
	c.ValidateLinks = false
	c.ValidationMode = model.ValidationRelaxed
	return c
}
