package dispatch

import (
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[redacted]"

// Secret is a value that must never be printed or logged: it prints as redacted with every verb, so a slip is
// harmless. Reveal returns the value, for the one place that needs it.
//
// NationalID and Phone do the same, with the same limits: fmt does not call Format on unexported fields, nor after
// %p, %w or another verb that vet refuses; encoding/json does not call MarshalText on map keys. A struct with an
// unexported Secret needs a Format of its own.
type Secret string

// Reveal returns the value itself.
func (s Secret) Reveal() string { return string(s) }

// Format implements fmt.Formatter.
func (Secret) Format(f fmt.State, _ rune) { writeRedacted(f) }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText keeps the value out of JSON written by mistake.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// writeRedacted ignores the write error: fmt has nowhere to report it.
func writeRedacted(w io.Writer) { _, _ = io.WriteString(w, redacted) }
