// Package shut closes a process's ways to files by their names. It stands by itself because only the child may link what
// it takes: that made web, which starts the child, hold a third more memory.
package shut
