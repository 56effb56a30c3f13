package shipmentapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
)

// The error of every read is a *clients.Error that is never uncertain.

// Status reads what has become of a shipment (Shipment spec, /{id}/status). Values that the specification does not list
// are returned as they are.
func (c *V1) Status(ctx context.Context, id string) (StatusReport, error) {
	x, err := c.call(ctx, http.MethodGet, v1Path(id, "status"), nil)
	if err != nil {
		return StatusReport{}, err
	}
	var answer forsendelsesStatus
	if x.Status == http.StatusOK && !x.Cut && json.Unmarshal(x.Body, &answer) == nil && answer.Status != "" {
		return answer.report(), nil
	}
	return StatusReport{}, notKnown(unread(x))
}

// Statuses reads what has become of 1 to StatusesMax shipments of the sender (Shipment spec, /statuser). Shipments that
// the answer does not tell of are missing.
func (c *V1) Statuses(ctx context.Context, _ string, ids []string) (map[string]StatusReport, error) {
	if len(ids) == 0 || len(ids) > StatusesMax {
		return nil, rejected()
	}
	x, err := c.call(ctx, http.MethodPost, v1Path("statuser"), c.o.Wire.statuser(ids))
	if err != nil {
		return nil, err
	}
	answer, err := understood[forsendelsesStatus](x, "statuser")
	if err != nil {
		return nil, err
	}
	asked := askedFor(ids)
	reports := map[string]StatusReport{}
	for _, s := range answer {
		id, ok := asked[strings.ToLower(s.ForsendelsesID.ID)]
		if ok && s.Status != "" && !reports[id].ChangedAt.After(s.SisteStatusEndring.Time) {
			reports[id] = s.report()
		}
	}
	return reports, nil
}

// askedFor finds ids as they were asked for: letter case is not the service's to keep.
func askedFor(ids []string) map[string]string {
	asked := map[string]string{}
	for _, id := range ids {
		asked[strings.ToLower(id)] = id
	}
	return asked
}

// Documents reads what the service knows of a shipment's documents (Shipment spec, /{id}/dokumentMetadata).
func (c *V1) Documents(ctx context.Context, id string) ([]DocumentReport, error) {
	answer, err := getList[dokumentMetadata](ctx, c, v1Path(id, "dokumentMetadata"), "dokumentMetadata")
	return each(answer, dokumentMetadata.report), notKnown(err)
}

// History reads the log of a shipment (Shipment spec, /{id}/historikk).
func (c *V1) History(ctx context.Context, id string) ([]Event, error) {
	answer, err := getList[hendelsesLogg](ctx, c, v1Path(id, "historikk"), "hendelsesLogger")
	return each(answer, hendelsesLogg.event), notKnown(err)
}

// SigningHistory reads the signing log of a shipment (Shipment spec, /{id}/signeringhistorikk).
func (c *V1) SigningHistory(ctx context.Context, id string) ([]SigningEvent, error) {
	answer, err := getList[signeringsLogg](ctx, c, v1Path(id, "signeringhistorikk"), "logg")
	return each(answer, signeringsLogg.event), notKnown(err)
}

// Types reads the shipment types that receiving systems know (Shipment spec, /forsendelseTyper).
func (c *V1) Types(ctx context.Context) ([]string, error) {
	answer, err := getList[string](ctx, c, v1Path("forsendelseTyper"), "forsendelseTyper")
	return usable(answer), err
}

// ByExternalReference reads the ids of the sender's shipments that carry a reference (Shipment spec,
// /eksternref/{eksternref}).
//
// Assumption: the method is GET (upstream facts 2.2).
func (c *V1) ByExternalReference(ctx context.Context, _, reference string) ([]Match, error) {
	if reference == "" || reference == "." || reference == ".." { // no path can say these
		return nil, rejected()
	}
	answer, err := getList[forsendelsesID](ctx, c, v1Path("eksternref", reference), "forsendelseIder")
	return each(answer, func(i forsendelsesID) Match { return Match{ID: i.ID} }), notKnown(err)
}

// MarkRead tells that a shipment was read outside the service (Shipment spec, /{id}/settLest). Saying it again does no
// harm, so that the error is as that of a read.
func (c *V1) MarkRead(ctx context.Context, id string, r Reading) error {
	if !r.valid() || r.System == "" {
		return rejected()
	}
	x, err := c.call(ctx, http.MethodPost, v1Path(id, "settLest"), c.o.Wire.lestAv(id, r))
	if err != nil || x.Status == http.StatusOK || x.Status == http.StatusNoContent {
		return err
	}
	return notKnown(unread(x))
}

// valid tells whether a reading says who and when.
func (r Reading) valid() bool {
	_, problem := dispatch.ParseNationalID("", r.NationalID.Reveal())
	return problem == nil && !r.At.IsZero()
}

// notKnown tells why a call about one thing met a 404: the service knows of no such thing. Without an ErrorMessage that
// may be the word of a machine on the way.
func notKnown(err error) error {
	var e *clients.Error
	if errors.As(err, &e) && e.HTTPStatus == http.StatusNotFound {
		e.Key = "reason.not_known"
	}
	return err
}

// getList reads a list that may stand under a name.
func getList[T any](ctx context.Context, c *V1, path, name string) (list[T], error) {
	x, err := c.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return understood[T](x, name)
}

func understood[T any](x clients.Exchange, name string) (list[T], error) {
	if x.Status == http.StatusOK && !x.Cut {
		if l, ok := listIn[T](x.Body, name); ok {
			return l, nil
		}
	}
	return nil, unread(x)
}

// usable leaves out types that are none: what is chosen is sent back as it stands.
func usable(types []string) []string {
	return slices.DeleteFunc(types, func(t string) bool { return clients.Word(t) != t })
}

func each[T, U any](all []T, to func(T) U) []U {
	var out []U
	for _, one := range all {
		out = append(out, to(one))
	}
	return out
}
