package dispatch

import "slices"

// This file is the one place of the services' statuses: what else the program knows of a value follows from its row, in Go
// by the methods below and in SQL by the tables statuses and signing_statuses, which migrate fills from these rows. A new
// value is one row, and its words in the catalogue.

// Status is theirs: the verbatim value that the outside service last told. The set is open.
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

// StatusRow is what the program knows of a status.
type StatusRow struct {
	Kind       Kind
	Status     Status
	Generation int // of the service's interface that brought it
	Meaning    Meaning
	Channel    Channel
	Settled    bool     // no other status is expected: it is read for a week more
	After      []Status // the steps that usually lead to it (upstream facts, section 3)
	Next       []Status // the steps that usually follow
}

// begun are the steps before the service chooses a channel.
var begun = []Status{StatusReceived, StatusAccepted}

// statusRows are all statuses, each kind in the order in which they are told of. Those of the third generation are not
// settled until more is known of them.
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

// Meaning is what a status says of an item. The set is closed: views show a meaning, not a value.
type Meaning string

// The meanings.
const (
	MeaningNew          Meaning = "" // of a value that is not described here
	MeaningReceived     Meaning = "received"
	MeaningAccepted     Meaning = "accepted"
	MeaningReady        Meaning = "ready"
	MeaningNotified     Meaning = "notified" // it lies with the recipient, unread
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

// meanings tell where lists and jobs put a meaning, and whether it is a bad end: the recipient will surely not get it, so that
// another item can go instead.
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

// Channel is how a shipment goes, as far as a status tells.
type Channel string

// The channels; empty: none is told.
const (
	ChannelDigital Channel = "digital"
	ChannelMailbox Channel = "mailbox"
	ChannelSystem  Channel = "system" // of the organisation that receives it
	ChannelAltinn  Channel = "altinn"
	ChannelHealth  Channel = "health"
	ChannelPrint   Channel = "print"
)

// StatusRows returns all rows of a kind, in the order in which they are told of.
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

// Of returns what is known of a status of a kind; of a value without a row, that it is new.
func (s Status) Of(k Kind) StatusRow {
	if r, ok := statusIndex[statusKey{k, s}]; ok {
		return r
	}
	return StatusRow{Kind: k, Status: s}
}

// Settled tells whether a status is final for its kind. UKJENT and values without a row are not.
func (s Status) Settled(k Kind) bool { return s.Of(k).Settled }

// Group is where lists and counts put items with the status.
func (r StatusRow) Group() Group { return meanings[r.Meaning].group }

// JobGroup is where jobs put them.
func (r StatusRow) JobGroup() JobGroup { return meanings[r.Meaning].job }

// EndedBadly tells whether the recipient will surely not get the item.
func (r StatusRow) EndedBadly() bool { return meanings[r.Meaning].bad }

// Ended tells whether the item has arrived or stopped: that nothing more is heard of it is no news.
func (r StatusRow) Ended() bool { g := r.Group(); return g == GroupArrived || g == GroupStopped }

// Route is how the item reaches its recipient.
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

// OutcomeRow is what the program knows of an outcome that is no status.
type OutcomeRow struct {
	Outcome string
	Group   Group
	Bad     bool // one that should not have been; what people stop themselves is none
}

// OutcomeRows returns the outcomes that are no status. Drafts have none.
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

// Failure tells whether an outcome is one that should not have been.
func Failure(k Kind, outcome string) bool {
	for _, r := range OutcomeRows() {
		if r.Outcome == outcome {
			return r.Bad
		}
	}
	return Status(outcome).Of(k).EndedBadly()
}

// RouteOf is the route of items that are counted under an outcome.
func RouteOf(k Kind, outcome string) Route { return Status(outcome).Of(k).Route() }

// SigningStatus is how far the signing of a shipment has come, verbatim. The set is open; empty: nothing is told yet.
type SigningStatus string

// The signing statuses (Shipment spec, Enumerations).
const (
	SigningRefusedByService   SigningStatus = "AVVIST_AV_SVARUT"
	SigningWaiting            SigningStatus = "VENTER_SIGNERING"
	SigningDone               SigningStatus = "SIGNERT_AV_MOTTAKER"
	SigningRefusedByRecipient SigningStatus = "AVVIST_AV_MOTTAKER"
	SigningExpired            SigningStatus = "UTLOPT"
)

// SigningMeaning is what a signing status says. The set is closed.
type SigningMeaning string

// The meanings of signing statuses.
const (
	SigningMeansNew     SigningMeaning = "" // of a value that is not described here
	SigningMeansWaiting SigningMeaning = "waiting"
	SigningMeansSigned  SigningMeaning = "signed"
	SigningMeansRefused SigningMeaning = "refused"
	SigningMeansExpired SigningMeaning = "expired"
)

// SigningRow is what the program knows of a signing status.
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

// SigningRows returns all rows, in the order in which they are told of.
func SigningRows() []SigningRow { return slices.Clone(signingRows) }

// Row returns what is known of a signing status; of a value without a row, that it is new.
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

// Signed tells whether the recipient has signed.
func (r SigningRow) Signed() bool { return r.Meaning == SigningMeansSigned }

// Awaited tells whether the recipient is surely still asked: an unknown status may be the end of it.
func (s SigningStatus) Awaited() bool { return s == "" || s.Row().Meaning == SigningMeansWaiting }

func after(steps []Status, last Status) []Status { return append(slices.Clone(steps), last) }
