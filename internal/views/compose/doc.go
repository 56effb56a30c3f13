// Package compose holds the pages and forms that make something to send: SMS, shipments, jobs and their lists, templates, and
// look-ups.
package compose
