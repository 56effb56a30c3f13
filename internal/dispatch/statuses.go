package dispatch

import "slices"

// All that the program knows about the services' statuses is in this file: in Go by the methods below, in SQL by the
// tables statuses and signing_statuses, which migrate fills from these rows. A new value is one row, and its words in
// the catalogue.

// Status is the service's verbatim value, as last read. The set is open.
type Status string

// Status values of the SMS service (SMS spec, States and transitions).
const (
	StatusCreated      Status = "OPPRETTET"
	StatusSent         Status = "SENDT"
	StatusNotSent      Status = "IKKE_SENDT"
	StatusNotDelivered Status = "IKKE_LEVERT" // of the shipment service too
	StatusDelivered    Status = "LEVERT"
	StatusUnknown      Status = "UKJENT"
)

// Status values of the shipment service (Shipment spec, States and transitions; upstream facts 1.7 for the third
// generation).
const (
	StatusReceived           Status = "MOTTATT"
	StatusAccepted           Status = "AKSEPTERT"
	StatusReadyToFetch       Status = "KLAR_FOR_MOTTAK"
	StatusNotified           Status = "VARSLET"
	StatusRead               Status = "LEST"
	StatusSentToPrint        Status = "SENDT_PRINT"
	StatusSentDigitally      Status = "SENDT_DIGITALT"
	StatusSentToMailbox      Status = "SENDT_SDP"
	StatusDeliveredToMailbox Status = "LEVERT_SDP"
	StatusPrinted            Status = "PRINTET"
	StatusDismissed          Status = "AVVIST"
	StatusHandledManually    Status = "MANUELT_HANDTERT"
	StatusSentToAltinn       Status = "SENDT_ALTINN"
	StatusDeliveredToAltinn  Status = "LEVERT_ALTINN"
	StatusSentToHealth       Status = "SENDT_NHN_MOTTAKER"
	StatusDeliveredToHealth  Status = "LEVERT_NHN_MOTTAKER"
	StatusFailedOnReception  Status = "FEILET_UNDER_MOTTAK"
	StatusDeleted            Status = "SLETTET"
)

// StatusRow describes a status.
type StatusRow struct {
	Kind       Kind
	Status     Status
	Generation int // of the service's interface that introduced it
	Meaning    Meaning
	Channel    Channel
	Settled    bool     // no other status is expected: reads go on for a week only
	After      []Status // statuses that usually precede it (upstream facts, section 3)
	Next       []Status // statuses that usually follow
}

// begun are the statuses before the service chooses a channel.
var begun = []Status{StatusReceived, StatusAccepted}

// statusRows are all statuses, each kind in the order in which they are explained. Those of the third generation are
// not settled until more is known about them.
var statusRows = []StatusRow{
	{KindSMS, StatusCreated, 1, MeaningReceived, "", false, nil, nil},
	{KindSMS, StatusSent, 1, MeaningSent, "", false, nil, nil},
	{KindSMS, StatusDelivered, 1, MeaningDelivered, "", true, nil, nil},
	{KindSMS, StatusNotSent, 1, MeaningRefused, "", true, nil, nil},
	{KindSMS, StatusNotDelivered, 1, MeaningNotDelivered, "", true, nil, nil},
	{KindSMS, StatusUnknown, 1, MeaningUnknown, "", false, nil, nil},

	{KindShipment, StatusReceived, 1, MeaningReceived, "", false, nil, []Status{StatusAccepted}},
	{KindShipment, StatusAccepted, 1, MeaningAccepted, "", false, []Status{StatusReceived}, nil},
	{KindShipment, StatusReadyToFetch, 1, MeaningReady, ChannelSystem, false, begun, []Status{StatusRead}},
	{KindShipment, StatusNotified, 1, MeaningNotified, ChannelDigital, false, begun, []Status{StatusRead}},
	{KindShipment, StatusSentDigitally, 1, MeaningSent, ChannelDigital, false, after(begun, StatusNotified), []Status{StatusRead}},
	{KindShipment, StatusSentToMailbox, 1, MeaningSent, ChannelMailbox, false, begun, []Status{StatusDeliveredToMailbox}},
	{KindShipment, StatusSentToPrint, 1, MeaningSentToPrint, ChannelPrint, false, begun, []Status{StatusPrinted}},
	{KindShipment, StatusRead, 1, MeaningRead, ChannelDigital, true, begun, nil},
	{KindShipment, StatusDeliveredToMailbox, 1, MeaningInMailbox, ChannelMailbox, true, after(begun, StatusSentToMailbox), nil},
	{KindShipment, StatusPrinted, 1, MeaningPrinted, ChannelPrint, true, after(begun, StatusSentToPrint), nil},
	{KindShipment, StatusDismissed, 1, MeaningRefused, "", true, []Status{StatusReceived}, nil},
	{KindShipment, StatusNotDelivered, 1, MeaningNotDelivered, "", true, []Status{StatusReceived}, nil},
	{KindShipment, StatusHandledManually, 1, MeaningHandled, "", true, []Status{StatusReceived}, nil},
	{KindShipment, StatusSentToAltinn, 3, MeaningSent, ChannelAltinn, false, begun, []Status{StatusDeliveredToAltinn}},
	{KindShipment, StatusDeliveredToAltinn, 3, MeaningInMailbox, ChannelAltinn, false, after(begun, StatusSentToAltinn), nil},
	{KindShipment, StatusSentToHealth, 3, MeaningSent, ChannelHealth, false, begun, []Status{StatusDeliveredToHealth}},
	{KindShipment, StatusDeliveredToHealth, 3, MeaningInMailbox, ChannelHealth, false, after(begun, StatusSentToHealth), nil},
	{KindShipment, StatusFailedOnReception, 3, MeaningRefused, "", false, nil, nil},
	{KindShipment, StatusDeleted, 3, MeaningDeleted, "", false, nil, nil},
}

// Meaning is what a status means for an item. The set is closed: views show a meaning, not a value.
type Meaning string

// The meanings.
const (
	MeaningNew          Meaning = "" // of a value without a row
	MeaningReceived     Meaning = "received"
	MeaningAccepted     Meaning = "accepted"
	MeaningReady        Meaning = "ready"
	MeaningNotified     Meaning = "notified" // the recipient was told and has not read it
	MeaningSent         Meaning = "sent"
	MeaningSentToPrint  Meaning = "sent_to_print"
	MeaningUnknown      Meaning = "unknown"
	MeaningDelivered    Meaning = "delivered"
	MeaningRead         Meaning = "read"
	MeaningInMailbox    Meaning = "in_mailbox"
	MeaningPrinted      Meaning = "printed"
	MeaningRefused      Meaning = "refused"
	MeaningNotDelivered Meaning = "not_delivered"
	MeaningHandled      Meaning = "handled"
	MeaningDeleted      Meaning = "deleted"
)

// meanings map a meaning to its group in lists and jobs, and tell whether it is a bad end: the recipient will
// certainly not get the item, so that a replacement can be sent.
var meanings = map[Meaning]struct {
	group Group
	job   JobGroup
	bad   bool
}{
	MeaningNew:          {GroupWorking, JobOnItsWay, false},
	MeaningReceived:     {GroupWorking, JobHandedOver, false},
	MeaningAccepted:     {GroupWorking, JobHandedOver, false},
	MeaningReady:        {GroupWorking, JobOnItsWay, false},
	MeaningNotified:     {GroupWorking, JobOnItsWay, false},
	MeaningSent:         {GroupOnItsWay, JobOnItsWay, false},
	MeaningSentToPrint:  {GroupOnItsWay, JobOnItsWay, false},
	MeaningUnknown:      {GroupOnItsWay, JobOnItsWay, false},
	MeaningDelivered:    {GroupArrived, JobArrived, false},
	MeaningRead:         {GroupArrived, JobArrived, false},
	MeaningInMailbox:    {GroupArrived, JobArrived, false},
	MeaningPrinted:      {GroupArrived, JobArrived, false},
	MeaningRefused:      {GroupStopped, JobNotDelivered, true},
	MeaningNotDelivered: {GroupStopped, JobNotDelivered, true},
	MeaningHandled:      {GroupStopped, JobClosed, false},
	MeaningDeleted:      {GroupStopped, JobClosed, false},
}

// Channel is how a shipment is delivered, if the status tells.
type Channel string

// The channels; empty: not told.
const (
	ChannelDigital Channel = "digital"
	ChannelMailbox Channel = "mailbox"
	ChannelSystem  Channel = "system" // of the receiving organisation
	ChannelAltinn  Channel = "altinn"
	ChannelHealth  Channel = "health"
	ChannelPrint   Channel = "print"
)

// StatusRows returns all rows of a kind, in the order in which they are explained.
func StatusRows(k Kind) []StatusRow {
	return slices.DeleteFunc(slices.Clone(statusRows), func(r StatusRow) bool { return r.Kind != k })
}

type statusKey struct {
	kind   Kind
	status Status
}

var statusIndex = func() map[statusKey]StatusRow {
	index := make(map[statusKey]StatusRow, len(statusRows))
	for _, r := range statusRows {
		index[statusKey{r.Kind, r.Status}] = r
	}
	return index
}()

// Of returns the row of a status of a kind; for a value without a row, one with MeaningNew.
func (s Status) Of(k Kind) StatusRow {
	if r, ok := statusIndex[statusKey{k, s}]; ok {
		return r
	}
	return StatusRow{Kind: k, Status: s}
}

// Settled tells whether a status is settled for its kind. UKJENT and values without a row are not.
func (s Status) Settled(k Kind) bool { return s.Of(k).Settled }

// StatusNamed reads a status in an address, unknown ones too; none for what no service calls a status.
func StatusNamed(text string) Status {
	if !statusPattern().MatchString(text) {
		return ""
	}
	return Status(text)
}

var statusPattern = pattern(`^[\p{L}\p{N}_]{1,100}$`)

// In tells whether a generation of the service has the status.
func (r StatusRow) In(g Generation) bool {
	last, gone := lastWith[r.Status]
	return Generation(r.Generation) <= g && (!gone || g <= last)
}

// lastWith are the last generations of statuses that a later one has not.
var lastWith = map[Status]Generation{StatusNotified: V2}

// Group returns the group in lists and counts.
func (r StatusRow) Group() Group { return meanings[r.Meaning].group }

// JobGroup returns the group in jobs.
func (r StatusRow) JobGroup() JobGroup { return meanings[r.Meaning].job }

// EndedBadly tells whether the recipient will certainly not get the item.
func (r StatusRow) EndedBadly() bool { return meanings[r.Meaning].bad }

// Ended tells whether the item has arrived or stopped, so that silence afterwards is normal.
func (r StatusRow) Ended() bool { g := r.Group(); return g == GroupArrived || g == GroupStopped }

// Route returns how the item reaches its recipient.
func (r StatusRow) Route() Route {
	switch {
	case r.Kind == KindSMS:
		return RouteSMS
	case r.Channel == ChannelPrint:
		return RoutePrint
	case r.Channel != "":
		return RouteDigital
	}
	return RouteOpen
}

// OutcomeRow describes an outcome that is not a status.
type OutcomeRow struct {
	Outcome string
	Group   Group
	Bad     bool // a failure; stopping by a person is none
}

// OutcomeRows returns the outcomes that are not statuses. Drafts have none.
func OutcomeRows() []OutcomeRow {
	return []OutcomeRow{
		{OutcomeOpen, GroupWorking, false},
		{OutcomeUntracked, GroupWorking, false},
		{string(StateRejected), GroupStopped, true},
		{string(StateFailed), GroupStopped, true},
		{string(StateCancelled), GroupStopped, false},
		{string(StateUncertain), GroupUncertain, true},
	}
}

// Failure tells whether an outcome is a failure.
func Failure(k Kind, outcome string) bool {
	for _, r := range OutcomeRows() {
		if r.Outcome == outcome {
			return r.Bad
		}
	}
	return Status(outcome).Of(k).EndedBadly()
}

// RouteOf returns the route of items counted under an outcome.
func RouteOf(k Kind, outcome string) Route { return Status(outcome).Of(k).Route() }

// SigningStatus is the service's status of a signing, verbatim. The set is open; empty: none yet.
type SigningStatus string

// The signing statuses (Shipment spec, Enumerations).
const (
	SigningRefusedByService   SigningStatus = "AVVIST_AV_SVARUT"
	SigningWaiting            SigningStatus = "VENTER_SIGNERING"
	SigningDone               SigningStatus = "SIGNERT_AV_MOTTAKER"
	SigningRefusedByRecipient SigningStatus = "AVVIST_AV_MOTTAKER"
	SigningExpired            SigningStatus = "UTLOPT"
)

// SigningMeaning is what a signing status means. The set is closed.
type SigningMeaning string

// The meanings of signing statuses.
const (
	SigningMeansNew     SigningMeaning = "" // of a value without a row
	SigningMeansWaiting SigningMeaning = "waiting"
	SigningMeansSigned  SigningMeaning = "signed"
	SigningMeansRefused SigningMeaning = "refused"
	SigningMeansExpired SigningMeaning = "expired"
)

// SigningRow describes a signing status.
type SigningRow struct {
	Status  SigningStatus
	Meaning SigningMeaning
}

var signingRows = []SigningRow{
	{SigningWaiting, SigningMeansWaiting},
	{SigningDone, SigningMeansSigned},
	{SigningRefusedByRecipient, SigningMeansRefused},
	{SigningRefusedByService, SigningMeansRefused},
	{SigningExpired, SigningMeansExpired},
}

// SigningRows returns all rows, in the order in which they are explained.
func SigningRows() []SigningRow { return slices.Clone(signingRows) }

// Row returns the row of a signing status; for a value without a row, one with SigningMeansNew.
func (s SigningStatus) Row() SigningRow {
	if i := slices.IndexFunc(signingRows, func(r SigningRow) bool { return r.Status == s }); i >= 0 {
		return signingRows[i]
	}
	return SigningRow{Status: s}
}

// Settled tells whether the signing has ended.
func (s SigningStatus) Settled() bool { return s.Row().Settled() }

// Settled tells whether the signing has ended.
func (r SigningRow) Settled() bool {
	return r.Meaning != SigningMeansNew && r.Meaning != SigningMeansWaiting
}

// Failed tells whether the signing has ended without a signature.
func (r SigningRow) Failed() bool {
	return r.Meaning == SigningMeansRefused || r.Meaning == SigningMeansExpired
}

// Signed tells whether the recipient has signed.
func (r SigningRow) Signed() bool { return r.Meaning == SigningMeansSigned }

// Awaited tells whether the recipient can certainly still sign: an unknown status may be an end.
func (s SigningStatus) Awaited() bool { return s == "" || s.Row().Meaning == SigningMeansWaiting }

func after(steps []Status, last Status) []Status { return append(slices.Clone(steps), last) }
