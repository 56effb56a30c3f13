package pdf

import (
	"context"
	"io"

	"utsending/internal/dispatch"
)

// Check looks into a file and has it drawn at the same time, in two children: neither needs the other, and each takes
// about as long. The report's reading has the ink. What is drawn of a file that turns out not to be readable is thrown away.
func (i *Inspector) Check(ctx context.Context, open func() io.Reader, size int64) (Report, error) {
	drawing, stop := context.WithCancel(ctx)
	defer stop()
	drawn, drawError := make(chan []dispatch.InkBounds, 1), make(chan error, 1)
	go func() {
		ink, err := i.Draw(drawing, open(), size)
		drawn <- ink
		drawError <- err
	}()
	report, err := i.Inspect(ctx, open(), size)
	if err != nil || report.Reading == nil {
		stop()
	}
	ink, failed := <-drawn, <-drawError // it ends soon, and nobody reads the file after that
	if err != nil || report.Reading == nil {
		return report, err
	}
	report.Reading.Ink = ink
	return report, failed
}
