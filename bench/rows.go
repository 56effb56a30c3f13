package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
)

// seededRows is the number of items in the list.
const seededRows = 1000

// seedSMS makes delivered SMS.
func (s *stage) seedSMS(ctx context.Context) error {
	for i := range seededRows {
		m := dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: dispatch.Phone(fmt.Sprintf("9%07d", i))}, Text: "Hei. Timen din er flyttet til torsdag kl. 12.00."}
		id, err := items.In(s.store).SMS.SaveDraft(ctx, s.sample.account.ID, s.sample.actor, uuid.NewString(), m)
		if err != nil {
			return err
		}
		it, err := items.In(s.store).SMS.ByID(ctx, s.sample.account.ID, id)
		if err != nil {
			return err
		}
		if err := items.In(s.store).SMS.Queue(ctx, s.sample.account, id, it.Revision, s.sample.actor); err != nil {
			return err
		}
	}
	if err := s.accept(ctx); err != nil {
		return err
	}
	checks, err := queue.In(s.store).Checks.Claim(ctx, s.sample.account.SMSIntegration, seededRows)
	if err != nil {
		return err
	}
	return s.saveStatuses(ctx, checks, dispatch.StatusDelivered)
}

// seedShipments makes printed shipments.
func (s *stage) seedShipments(ctx context.Context) error {
	titles := []string{"Vedtak om skoleskyss", "Svar på søknad om barnehageplass", "Foreløpig svar", "Innkalling til møte"}
	names := []string{"Ola Nordmann", "Åse Bjørkhaug", "Berg og Dahl Eiendom AS", "Ingrid Sørmoen"}
	for i := range seededRows {
		content := shipment(titles[i%len(titles)], names[i%len(names)])
		id, err := s.draftWithFile(ctx, "brev.bin", newContent(1000))
		if err != nil {
			return err
		}
		if content.Documents, err = s.store.Documents(ctx, s.sample.account.ID, id); err != nil {
			return err
		}
		if err := items.In(s.store).Drafts.Queue(ctx, s.sample.account, id, s.sample.actor, 1, content); err != nil {
			return err
		}
	}
	if err := s.accept(ctx); err != nil {
		return err
	}
	found, err := queue.In(s.store).Checks.ClaimShipments(ctx, s.sample.account.ShipmentIntegration, seededRows)
	if err != nil {
		return err
	}
	var checks []queue.Check
	for _, c := range found {
		checks = append(checks, c.Check)
	}
	return s.saveStatuses(ctx, checks, dispatch.StatusPrinted)
}

// accept marks queued items as accepted, as delivery does.
func (s *stage) accept(ctx context.Context) error {
	if _, err := queue.In(s.store).Guards.Check(ctx, queue.Witness{}); err != nil {
		return err
	}
	lanes, err := queue.In(s.store).Claims.Lanes(ctx)
	if err != nil {
		return err
	}
	for _, lane := range lanes {
		for {
			c, err := queue.In(s.store).Claims.Claim(ctx, lane, time.Minute)
			if err != nil {
				return err
			}
			if c == nil {
				break
			}
			r := dispatch.Result{Outcome: dispatch.OutcomeAccepted, UpstreamID: uuid.NewString(), NextCheck: time.Now().Add(-time.Second)}
			if err := queue.In(s.store).Outcomes.Finish(ctx, queue.Ended{Claim: c, Result: r}); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveStatuses settles items; their next read is tomorrow, so that nothing is due during measurements.
func (s *stage) saveStatuses(ctx context.Context, checks []queue.Check, status dispatch.Status) error {
	if len(checks) != seededRows {
		return fmt.Errorf("%d of %d seeded items were accepted", len(checks), seededRows)
	}
	for _, c := range checks {
		if err := queue.In(s.store).Checks.SaveStatus(ctx, c, status, time.Now(), dispatch.DefaultRefreshPlan()); err != nil {
			return err
		}
	}
	return nil
}
