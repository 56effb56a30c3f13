package main_test

import (
	"fmt"
	"strconv"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// stormJob is a sent job with the expected item of each row.
type stormJob struct {
	id   dispatch.JobID
	rows map[int]sentItem // by position
}

// addJobs sends a traceable and a fast job to size recipients each, whose items are made and delivered while programs die.
func (s *storm) addJobs(size int) {
	s.t.Helper()
	s.addJob(s.senders[0], dispatch.ModeTraceable, s.mark+" jobb ((nr))", size)
	s.addJob(s.senders[2], dispatch.ModeFast, s.mark+" hurtig", size)
}

func (s *storm) addJob(by storetest.Sample, mode dispatch.JobMode, text string, size int) {
	s.t.Helper()
	job := stormJob{rows: map[int]sentItem{}}
	var list []dispatch.JobRow
	for i := range size {
		s.serial++
		nr := strconv.Itoa(s.serial)
		one := sentItem{account: by.Account, phone: fmt.Sprintf("%s%05d20", s.prefix, s.serial), text: text, fast: mode == dispatch.ModeFast}
		if !one.fast {
			one.text = s.mark + " jobb " + nr
		}
		job.rows[i+1] = one
		list = append(list, storetest.Row(i+1, one.phone, nr))
	}
	job.id = by.SendJob(s.t, s.store, storetest.ListOf([]string{"nr"}, list...), items.JobText{Text: text, Mode: mode, Segments: size})
	s.jobs = append(s.jobs, job)
}

// itemsOfJobs adds the items made for the jobs to those sent: one for each row.
func (s *storm) itemsOfJobs() {
	s.t.Helper()
	for _, job := range s.jobs {
		rows, err := s.db.QueryContext(s.t.Context(), `SELECT id, job_position FROM items WHERE job_id = $1`, job.id)
		if err != nil {
			s.t.Fatal(err)
		}
		made := map[int]int{}
		for rows.Next() {
			var id dispatch.ItemID
			var position int
			if err := rows.Scan(&id, &position); err != nil {
				s.t.Fatal(err)
			}
			s.sent[id] = job.rows[position]
			made[position]++
		}
		if err := rows.Err(); err != nil {
			s.t.Fatal(err)
		}
		for position := range job.rows {
			if made[position] != 1 {
				s.t.Errorf("row %d of a job has %d items, want 1", position, made[position])
			}
		}
	}
}
