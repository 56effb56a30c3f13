package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lib/pq"

	"utsending/internal/dispatch"
)

// DocumentRow is a row of documents.
type DocumentRow struct {
	ID        dispatch.DocumentID      `db:"id"`
	Position  int                      `db:"position"`
	FileName  string                   `db:"file_name"`
	Renamed   string                   `db:"renamed_from"`
	MimeType  string                   `db:"mime_type"`
	Size      int64                    `db:"size"`
	SHA256    string                   `db:"sha256"`
	Pages     int                      `db:"pages"`
	Found     dispatch.DocumentProblem `db:"found"`
	GiroPages pq.Int64Array            `db:"giro_pages"`
	Exclude   bool                     `db:"exclude_from_print"`
	Sensitive bool                     `db:"sensitive"`
	Type      string                   `db:"document_type"`
	Reading   []byte                   `db:"reading"`
	Slice     int                      `db:"part"`
	Cleaned   []byte                   `db:"cleaned"`
	Original  bool                     `db:"original"`
	Own       bool                     `db:"own"`
}

func (r DocumentRow) domain() dispatch.Document {
	d := dispatch.Document{ID: r.ID, FileName: r.FileName, Renamed: r.Renamed, MimeType: r.MimeType, Size: r.Size, SHA256: r.SHA256, Pages: r.Pages,
		Found: r.Found, ExcludeFromPrint: r.Exclude, Sensitive: r.Sensitive, Type: r.Type, Slice: r.Slice, Original: r.Original, Own: r.Own}
	for _, page := range r.GiroPages {
		d.GiroPages = append(d.GiroPages, int(page))
	}
	return d
}

// DocumentColumns are the columns of a DocumentRow.
const DocumentColumns = `d.id, d.position, normalize(d.file_name, NFC) AS file_name, d.mime_type, d.size, d.sha256, d.pages, d.found, d.giro_pages, d.exclude_from_print, d.sensitive, d.document_type,
	d.reading, d.part, d.renamed_from, d.cleaned, EXISTS (SELECT FROM documents o WHERE o.replaced_by = d.id) AS original, d.own_name <> '' AS own`

// Documents returns the files of a shipment in order: its own, and those that all shipments of its job share.
func (s *Store) Documents(ctx context.Context, account dispatch.AccountID, id dispatch.ItemID) ([]dispatch.Document, error) {
	var rows []DocumentRow
	err := s.Select(ctx, &rows, selectDocuments, id, account)
	return s.OpenDocuments(rows, err)
}

const selectDocuments = `
	SELECT ` + DocumentColumns + ` FROM documents d
	WHERE d.item_id = $1 AND d.account_id = $2 AND d.complete
	UNION ALL
	SELECT ` + DocumentColumns + ` FROM documents d
	WHERE d.job_id = (SELECT job_id FROM items WHERE id = $1 AND account_id = $2) AND d.account_id = $2 AND d.part = 0 AND d.complete
	ORDER BY position, id`

// OpenDocuments opens the sealed columns of rows; an error is passed on.
func (s *Store) OpenDocuments(rows []DocumentRow, err error) ([]dispatch.Document, error) {
	documents := make([]dispatch.Document, len(rows))
	for i, r := range rows {
		documents[i] = r.domain()
		if err == nil {
			documents[i].Reading, err = s.openReading(r)
		}
		if err == nil && r.Cleaned != nil {
			documents[i].Cleaned = &dispatch.Cleaning{}
			err = json.Unmarshal(r.Cleaned, documents[i].Cleaned)
		}
	}
	return documents, err
}

// openReading opens the sealed reading, which holds words of the document.
func (s *Store) openReading(r DocumentRow) (*dispatch.FileReading, error) {
	if r.Reading == nil {
		return nil, nil
	}
	plain, err := s.Keys.Open(r.Reading, ReadingPlace(r.ID))
	if err != nil {
		return nil, err
	}
	reading := &dispatch.FileReading{}
	if err := json.Unmarshal(plain, reading); err != nil {
		return nil, fmt.Errorf("reading of a document: %w", err)
	}
	return reading, nil
}
