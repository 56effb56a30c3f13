// Package admin holds the pages of administrators, operators and auditors.
package admin
