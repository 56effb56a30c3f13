// Package follow holds the pages on which people see what became of what was sent: lists, items, jobs, the worklist, exports, figures.
package follow
