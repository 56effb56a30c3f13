package clients

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// ErrorMessage is the error body of both services (SMS spec, ErrorMessage). No field is required. Message may name a
// person and is never logged.
type ErrorMessage struct {
	Timestamp    int64 // milliseconds since 1970
	Status       int
	Error        string
	ErrorID      string
	Path         string
	OriginalPath string
	Message      string
	ErrorCode    string
	ErrorJSON    string // as text, even if the service sends an object
}

// ParseErrorMessage parses an error body; nil when it is not one: empty, HTML, or without any field of an
// ErrorMessage. Fields that are null or of an unexpected type are ignored without losing the others.
func ParseErrorMessage(body []byte) *ErrorMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	m, found := &ErrorMessage{}, false
	for name, value := range fields {
		if m.set(strings.ToLower(name), value) {
			found = true
		}
	}
	if !found {
		return nil
	}
	return m
}

// own tells whether the service itself wrote the message of an answer with this HTTP status.
//
// Assumption: the service's own errors have an errorId, or an errorCode with a message (older answers of V1), and
// those of its framework, of gateways and of proxies have neither. A message with another status was changed by a
// proxy.
func (m *ErrorMessage) own(status int) bool {
	return m != nil && (m.ErrorID != "" || m.ErrorCode != "" && m.Message != "") && (m.Status == 0 || m.Status == status)
}

// set sets one field; names are compared in lower case, since older answers spell errorCode as errorcode.
func (m *ErrorMessage) set(name string, value json.RawMessage) bool {
	if string(value) == "null" {
		return false
	}
	switch name {
	case "timestamp":
		return json.Unmarshal(value, &m.Timestamp) == nil
	case "status":
		return json.Unmarshal(value, &m.Status) == nil
	case "error":
		return json.Unmarshal(value, &m.Error) == nil
	case "errorid":
		return m.setErrorID(value)
	case "path":
		return json.Unmarshal(value, &m.Path) == nil
	case "originalpath":
		return json.Unmarshal(value, &m.OriginalPath) == nil
	case "message":
		return json.Unmarshal(value, &m.Message) == nil
	case "errorcode":
		return json.Unmarshal(value, &m.ErrorCode) == nil
	case "errorjson":
		return m.setJSON(value)
	}
	return false
}

// setErrorID accepts UUIDs only (SMS spec, ErrorMessage): the id is logged, stored and shown.
func (m *ErrorMessage) setErrorID(value json.RawMessage) bool {
	var id string
	if json.Unmarshal(value, &id) != nil || uuid.Validate(id) != nil {
		return false
	}
	m.ErrorID = id
	return true
}

// setJSON keeps errorJson as text: the specification declares a string, but the services are known to send an object.
func (m *ErrorMessage) setJSON(value json.RawMessage) bool {
	if json.Unmarshal(value, &m.ErrorJSON) == nil {
		return true
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return false
	}
	m.ErrorJSON = compact.String()
	return true
}

// Texts joins the texts in an errorJson, without its field names. If it is not an object, it is itself the text.
func Texts(errorJSON string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(errorJSON), &fields) != nil {
		return errorJSON
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if text, ok := fields[name].(string); ok && strings.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}
