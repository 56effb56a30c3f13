package main_test

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// life is one run of the program.
type life struct {
	*process
	began  time.Time
	killed time.Time // zero: it was never killed
}

func (s *storm) start() *life {
	s.t.Helper()
	l := &life{began: time.Now()}
	var err error
	if l.process, err = startProcess(s.env, "serve"); err != nil {
		s.t.Fatal(err)
	}
	s.lives = append(s.lives, l)
	return l
}

// serves tells whether the program logged that it serves.
func (l *life) serves() bool { return strings.Contains(l.output(), `"msg":"serving"`) }

// raged tells whether enough has happened: programs were killed, some items of each kind were accepted, and some calls died.
func (s *storm) raged() (yes bool) {
	s.t.Helper()
	err := s.db.QueryRowContext(s.t.Context(), `
		SELECT EXISTS (SELECT FROM items WHERE kind = 'sms' AND state = 'accepted') AND EXISTS (SELECT FROM items WHERE kind = 'sms' AND state = 'uncertain')
		   AND EXISTS (SELECT FROM items WHERE kind = 'shipment' AND state = 'accepted')
		   AND EXISTS (SELECT FROM attempts a JOIN items i ON i.id = a.item_id WHERE i.kind = 'shipment' AND (a.reason_key = 'reason.died' OR a.resolution <> ''))`).Scan(&yes)
	if err != nil {
		s.t.Fatal(err)
	}
	return yes && s.kills() > 0
}

// kills counts the programs that were killed.
func (s *storm) kills() int {
	n := 0
	for _, l := range s.lives {
		if !l.killed.IsZero() {
			n++
		}
	}
	return n
}

// told are the outcomes in the programs' logs, which are written after the database.
func (s *storm) told() map[dispatch.AttemptID]dispatch.Outcome {
	told := map[dispatch.AttemptID]dispatch.Outcome{}
	for _, l := range s.lives {
		for line := range strings.Lines(l.output()) {
			var entry struct {
				Message string             `json:"msg"`
				Attempt dispatch.AttemptID `json:"attempt"`
				Outcome dispatch.Outcome   `json:"outcome"`
			}
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Message == "attempt" { // the last line may be half
				told[entry.Attempt] = entry.Outcome
			}
		}
	}
	return told
}

// gaveUp tells whether the program logged that it was stopped before it could store an attempt's outcome.
func (l *life) gaveUp(attempt dispatch.AttemptID) bool {
	return strings.Contains(l.output(), `"msg":"result could not be written before the stop","attempt":"`+string(attempt)+`"`)
}

// checkTold checks that a logged outcome is stored, even if the program was taken for dead meanwhile.
func (s *storm) checkTold(id dispatch.ItemID, it storedItem, told map[dispatch.AttemptID]dispatch.Outcome) {
	s.t.Helper()
	for _, a := range it.Attempts {
		if outcome, ok := told[a.ID]; ok && outcome != a.Outcome {
			s.wrong(id, it, "has an attempt that was "+string(outcome))
		}
	}
}

// killedIn tells whether the program that made a call was killed, or stopped and out of time, before it stored the outcome. Other
// programs may have considered it dead and ended the attempt long before: a frozen program still has its calls. Attempts have the time of the
// database, whose clock may be ahead of ours.
func (s *storm) killedIn(attempts []dispatch.Attempt, told map[dispatch.AttemptID]dispatch.Outcome) bool {
	return slices.ContainsFunc(attempts, func(a dispatch.Attempt) bool {
		_, ended := told[a.ID]
		return a.Reason.Key == "reason.died" && !ended && slices.ContainsFunc(s.lives, func(l *life) bool {
			return l.gaveUp(a.ID) || !l.killed.IsZero() && l.began.Before(a.StartedAt) && l.killed.After(a.StartedAt.Add(-s.skew))
		})
	})
}
