//go:build !linux

package pgserver

import "syscall"

// dieWithParent does nothing: only Linux ties a process to its parent. A server that is left behind ends when a later
// start or its owner ends it.
func dieWithParent(*syscall.SysProcAttr) {}

// removeStalePID leaves the judgement to PostgreSQL.
func removeStalePID(string) {}

// workingIn lists nobody: the children notice by themselves that the postmaster is gone.
func workingIn(string) []int { return nil }
