package pdf

import (
	"errors"
	"fmt"
	"time"
)

// answer waits for the report, or derives from the child's exit why there is none. The pages are drawn afterwards, so
// that a page that cannot be drawn does not lose the reading.
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
		_ = p.within(limit, func() (err error) { // on failure there are no drawn pages
			report.Reading.Ink, err = receiveInk(p.line, report.Pages)
			return err
		})
		if report.Reading.Ink != nil {
			report.First = p.pictureWithin(limit, PictureWidth)
		}
	}
	return report, nil
}

// verdict explains an exit without an answer. The child was confined and had the file, so it is the file's fault,
// unless another process killed the child or the child reports otherwise.
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
