//go:build !linux

package pdf

// private leaves it to the system whose temporary directory it is.
func private(string) bool { return true }

// lock does nothing: who comes at the same time compiles too.
func lock(string) (unlock func(), err error) { return func() {}, nil }
