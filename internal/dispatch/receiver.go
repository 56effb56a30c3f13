package dispatch

import (
	"strconv"
	"strings"
)

// Receiver is an organisation's system that receives shipments (Shipment spec, MottakerForsendelsesTyper).
type Receiver struct {
	OrganizationNumber OrganizationNumber
	Type               string // of the shipments that it receives
	System             string
	SystemID           string
	Level              int
}

// ReceiverFilter filters receivers; zero values match all.
type ReceiverFilter struct {
	OrganizationNumber OrganizationNumber
	Type               string
	Level              int
}

// Fields of the filter; FieldOrganizationNumber and FieldType besides.
const FieldLevel = "niva"

// receiverType is a shipment type that a filter takes from V2 on: letters, digits, and dots inside (upstream facts 1.2).
var receiverType = pattern(`^[\pL\pN]([\pL\pN.]{0,98}[\pL\pN])?$`)

// ReceiverLevels returns the levels that a generation can filter by.
func ReceiverLevels(g Generation) []int { return g.Row().Levels }

// ParseReceiverFilter parses a filter as typed.
func ParseReceiverFilter(organization, kind, level string, g Generation) (ReceiverFilter, Problems) {
	var f ReceiverFilter
	var ps Problems
	if strings.TrimSpace(organization) != "" {
		number, p := ParseOrganizationNumber(FieldOrganizationNumber, organization)
		f.OrganizationNumber = number
		ps.add(p)
	}
	if f.Type = strings.TrimSpace(kind); f.Type != "" && g.Row().TypeInWords && !receiverType().MatchString(f.Type) {
		ps.add(&Problem{Field: FieldType, Key: "problem.receiver.type"})
	}
	if level != "" {
		n, err := strconv.Atoi(level)
		levels := ReceiverLevels(g)
		if f.Level = n; err != nil || n < levels[0] || n > levels[len(levels)-1] {
			ps.add(&Problem{Field: FieldLevel, Key: "problem.receiver.level"})
		}
	}
	return f, ps
}
