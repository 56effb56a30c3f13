package recipients

import "io"

func openWorkbook(r io.ReaderAt, size int64) (*List, error) {
	return nil, refuse("problem.list.broken", nil)
}
