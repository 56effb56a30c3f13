// Package shut closes a process's access to files (Landlock). It is a package of its own because only the child may
// link it: web, which starts the child, held a third more memory with it.
package shut
