//go:build !linux

package shut

// Files does nothing: Landlock is Linux'.
func Files() (holds bool) { return false }
