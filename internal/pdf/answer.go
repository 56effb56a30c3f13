package pdf

import (
	"errors"
	"fmt"
	"time"
)

// answer waits for the report, or tells from the child's end why there is none. What was drawn comes after it, so that a
// page that cannot be drawn takes nothing away from what was read.
func (p *process) answer(limit, cpu time.Duration) (Report, error) {
	report := Report{}
	err := p.within(limit, func() (err error) {
		if report, err = receiveAnswer(p.line); err != nil {
			<-p.done
		}
		return err
	})
	if err != nil {
		return p.verdict(cpu)
	}
	if report.Problem == "" {
		_ = p.within(limit, func() (err error) { // without it the pages are not drawn
			report.Reading.Ink, err = receiveInk(p.line, report.Pages)
			return err
		})
		if report.Reading.Ink != nil {
			report.First = p.pictureWithin(limit)
		}
	}
	return report, nil
}

// verdict explains an end without an answer. The child was confined and had the file, so it is the file's fault unless
// somebody else killed the child or it says so itself.
func (p *process) verdict(cpu time.Duration) (Report, error) {
	state := p.cmd.ProcessState
	used := state.UserTime() + state.SystemTime()
	switch {
	case p.late.Load(), state.ExitCode() == exitTooSlow, used > cpu:
		return Report{Problem: ProblemTooSlow}, nil
	case killedByOthers(state):
		return Report{}, fmt.Errorf("child was killed from outside: %s", state)
	case state.ExitCode() == exitRefused:
		return Report{}, errors.New("child could not read the file")
	}
	return Report{Problem: ProblemBroken}, nil
}
