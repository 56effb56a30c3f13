// Package compose holds the pages and forms on which something is made to be sent: SMS, shipments, jobs and their lists, templates,
// and the look-ups that help with them.
package compose
