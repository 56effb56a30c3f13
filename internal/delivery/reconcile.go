package delivery

import (
	"context"
	"errors"
	"net/http"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/upstream"
)

// silentMost is how many calls in a row may fail before an integration's other questions are given up.
const silentMost = 3

// askedSingly is how many questions that take a call each are answered between two renewals of the lease.
const askedSingly = 5

// reconcileDue makes the comparison with the services that is due, within the integrations' rates. One that is cut off
// is continued by another process.
func (w *Worker) reconcileDue(ctx context.Context) {
	r, err := queue.In(w.o.Store).Reconciliations.Claim(ctx)
	if !w.db.note(ctx, err) || r == nil {
		return
	}
	err = w.reconcile(ctx, r)
	switch {
	case ctx.Err() != nil:
		_ = queue.In(w.o.Store).Reconciliations.Leave(context.WithoutCancel(ctx), r) // otherwise it goes on when the lease ends
	case !errors.Is(err, store.ErrChanged):
		w.db.note(ctx, err)
	}
}

func (w *Worker) reconcile(ctx context.Context, r *queue.Reconciling) error {
	s := queue.In(w.o.Store)
	if !r.Gathered {
		if err := s.Reconciliations.Gather(ctx, r); err != nil {
			return err
		}
	}
	if r.Exhausted() {
		if err := s.Reconciliations.GiveUpAsking(ctx, r, "", dispatch.Reason{Key: "reason.no_answer"}); err != nil {
			return err
		}
	}
	silent := map[dispatch.IntegrationID]int{}
	for {
		list, err := s.Reconciliations.NextQuestions(ctx, r, shipmentapi.StatusesMax)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return s.Reconciliations.End(ctx, r)
		}
		answers, failed := w.ask(ctx, list)
		if ctx.Err() != nil {
			return nil
		}
		if err := s.Reconciliations.KeepAnswers(ctx, r, answers); err != nil {
			return err
		}
		in := list[0].Integration
		if failed == nil {
			silent[in] = 0
			continue
		}
		if silent[in]++; silent[in] == silentMost || failed.HTTPStatus == http.StatusTooManyRequests {
			if err := s.Reconciliations.GiveUpAsking(ctx, r, in, failed.Reason()); err != nil {
				return err
			}
		}
	}
}

// ask asks some of the questions, which are to one integration about one account. The error is that of the last call.
func (w *Worker) ask(ctx context.Context, list []queue.Asking) ([]queue.Answered, *clients.Error) {
	first := list[0]
	client, err := w.o.Upstream.Client(ctx, first.Integration, first.Service)
	if err != nil || client.SMS == nil && client.Shipments == nil {
		e := clients.AsError(unreadable())
		return unanswered(list, e), e
	}
	if client.Shipments != nil && first.Question != dispatch.QuestionReference {
		return w.askStatuses(ctx, client, list)
	}
	var answers []queue.Answered
	for _, a := range list[:min(len(list), askedSingly)] {
		if w.gates.limiter(a.Integration, a.RatePerSec).Wait(ctx) != nil {
			return nil, nil
		}
		answer, err := w.askOne(ctx, client, a)
		if err != nil {
			w.o.Upstream.FallBackOfRead(ctx, client, err)
			e := clients.AsError(err)
			return append(answers, unanswered([]queue.Asking{a}, e)...), e
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// askStatuses asks for the statuses of shipments with one call. If the service rejects the call, one of the shipments
// may be the cause: then it bisects.
func (w *Worker) askStatuses(ctx context.Context, client upstream.Client, list []queue.Asking) ([]queue.Answered, *clients.Error) {
	first := list[0]
	if w.gates.limiter(first.Integration, first.RatePerSec).Wait(ctx) != nil {
		return nil, nil
	}
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.UpstreamID
	}
	known, err := client.Shipments.Statuses(ctx, first.ServiceID, ids)
	missing := err != nil && clients.AsError(err).HTTPStatus == http.StatusNotFound
	ofThese := err != nil && refusesWhatIsAsked(err) && !(missing && client.Kind.Row().AccountID) // a 404 of a path with an account is about the account
	switch {
	case ofThese && len(list) > 1:
		one, failed := w.askStatuses(ctx, client, list[:len(list)/2])
		if failed != nil {
			return one, failed
		}
		two, failed := w.askStatuses(ctx, client, list[len(list)/2:])
		return append(one, two...), failed
	case ofThese && missing:
		known = nil
	case err != nil:
		w.o.Upstream.FallBackOfRead(ctx, client, err)
		return unanswered(list, clients.AsError(err)), clients.AsError(err)
	}
	answers := make([]queue.Answered, len(list))
	for i, a := range list {
		report, ok := known[a.UpstreamID]
		answers[i] = queue.Answered{Asking: a, Verdict: a.Question.Compare(a.State, ok, a.Status, report.Status)}
	}
	return answers, nil
}

// askOne asks a question that takes a call of its own: the status of an SMS, or what there is under a reference.
func (w *Worker) askOne(ctx context.Context, client upstream.Client, a queue.Asking) (queue.Answered, error) {
	answer := queue.Answered{Asking: a}
	if client.SMS != nil {
		status, err := client.SMS.Status(ctx, a.ServiceID, a.UpstreamID)
		known := err == nil
		if e := clients.AsError(err); err != nil && (e.Key != "reason.not_known" || !e.Own) {
			return answer, err
		}
		answer.Verdict = a.Question.Compare(a.State, known, a.Status, status)
		return answer, nil
	}
	var matches []shipmentapi.Match
	for _, reference := range a.References {
		more, err := client.Shipments.ByExternalReference(ctx, a.ServiceID, reference)
		if err != nil && !clients.Missing(err) {
			return answer, err
		}
		matches = append(matches, more...)
	}
	strangers, err := w.strangers(ctx, matches)
	for _, m := range strangers {
		answer.Strangers = append(answer.Strangers, m.ID)
	}
	answer.Verdict = dispatch.Strangers(a.State, len(strangers))
	return answer, err
}

func unanswered(list []queue.Asking, e *clients.Error) []queue.Answered {
	answers := make([]queue.Answered, len(list))
	for i, a := range list {
		answers[i] = queue.Answered{Asking: a, Verdict: dispatch.VerdictUnanswered, Why: e.Reason()}
	}
	return answers
}
