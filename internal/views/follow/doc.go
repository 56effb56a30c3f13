// Package follow holds the pages that follow up what was sent: lists, items, jobs, the worklist, exports, figures.
package follow
