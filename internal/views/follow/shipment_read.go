package follow

import (
	"strings"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// MarkReadForm reports that a shipment was read elsewhere, as typed.
type MarkReadForm struct {
	Who        string // ReaderRecipient or ReaderOther
	NationalID string
	Day, Clock string
	System     string
	Confirmed  bool
}

// The reader of a shipment.
const (
	ReaderRecipient = "mottaker"
	ReaderOther     = "annen"
)

// NewMarkReadForm is a form with the present time.
func NewMarkReadForm(it dispatch.ShipmentItem, now time.Time) MarkReadForm {
	f := MarkReadForm{Who: ReaderRecipient, Day: views.TypedDate(now), Clock: views.TypedClock(now), System: it.SourceSystem}
	if it.Recipient.Digital.NationalID == "" {
		f.Who = ReaderOther
	}
	return f
}

// Parse parses the form, with the problems that keep the report from being sent.
func (f MarkReadForm) Parse(it dispatch.ShipmentItem, now time.Time) (dispatch.ReadElsewhere, dispatch.Problems) {
	r := dispatch.ReadElsewhere{System: strings.TrimSpace(f.System), NationalID: it.Recipient.Digital.NationalID}
	if f.Who != ReaderRecipient || r.NationalID == "" {
		r.NationalID = dispatch.NationalID(strings.Join(strings.Fields(f.NationalID), ""))
	}
	var own dispatch.Problems
	r.At, own = dispatch.ParseReadAt(f.Day, f.Clock)
	ps := r.Validate(it.AcceptedAt, now)
	if len(own) > 0 { // a time that cannot be parsed is neither too early nor too late
		ps = leaveOut(ps, dispatch.FieldReadDay)
	}
	ps = append(ps, own...)
	if !f.Confirmed {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldReadConfirm, Key: "problem.read.confirm"})
	}
	return r, ps
}

func leaveOut(ps dispatch.Problems, field string) dispatch.Problems {
	var rest dispatch.Problems
	for _, p := range ps {
		if p.Field != field {
			rest = append(rest, p)
		}
	}
	return rest
}

// MarkReadPage reports to the service that a shipment was read elsewhere.
type MarkReadPage struct {
	views.Page
	Item    dispatch.ShipmentItem
	Form    MarkReadForm
	Failure dispatch.Reason // of the service's refusal; zero: none
}
