//go:build !linux

package pdf

// lock does nothing: concurrent processes each compile.
func lock(string) (unlock func(), err error) { return func() {}, nil }
