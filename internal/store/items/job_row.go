package items

import (
	"encoding/json"
	"fmt"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store"
)

// jobRow is a row of jobs.
type jobRow struct {
	TemplateName string             `db:"template_name"`
	ID           dispatch.JobID     `db:"id"`
	Kind         dispatch.Kind      `db:"kind"`
	Account      dispatch.AccountID `db:"account_id"`
	CreatedBy    dispatch.UserID    `db:"created_by"`
	Creator      string             `db:"creator"`
	CreatedAt    time.Time          `db:"created_at"`
	State        dispatch.JobState  `db:"state"`
	Mode         dispatch.JobMode   `db:"mode"`
	Content      []byte             `db:"content"`
	Hide         bool               `db:"hide_in_report"`
	SendAt       *time.Time         `db:"send_at"`
	Urgent       bool               `db:"urgent"`
	store.TemplateUseRow
	Found      bool       `db:"found"`
	Read       int        `db:"rows_read"`
	Valid      int        `db:"rows_valid"`
	Duplicate  int        `db:"rows_duplicate"`
	Foreign    int        `db:"rows_foreign"`
	Phone      int        `db:"rows_phone"`
	Unfit      int        `db:"rows_unfit"`
	Warned     int        `db:"rows_warned"`
	Parts      int        `db:"parts"`
	SentAt     *time.Time `db:"sent_at"`
	DueAt      *time.Time `db:"due_at"`
	Recipients int        `db:"recipients"`
	Made       int        `db:"made"`
	MadeTo     int        `db:"made_to"`
	MadeAt     *time.Time `db:"made_at"`
	StoppedAt  *time.Time `db:"stopped_at"`
	HaltedAt   *time.Time `db:"halted_at"`
	HaltedBy   string     `db:"halted_by"`
	DoneAt     *time.Time `db:"done_at"`
	Uncertain  bool       `db:"uncertain"`
	Restored   bool       `db:"restored"`
	Purged     bool       `db:"purged"`
	Revision   string     `db:"revision"`
	Received   bool       `db:"received"`
	Waiting    bool       `db:"waiting"`
	ReturnedBy string     `db:"returned_by"`
	Again      bool       `db:"again"`
	Replaced   int        `db:"replaced"`
	All        bool       `db:"all_replaced"`
	Former     string     `db:"former"`
	shipmentJobRow
}

// jobContent is the plaintext of a job's sealed column.
type jobContent struct {
	Text string `json:"text"`
	dispatch.SecondText
	Forms   dispatch.FormCounts  `json:"forms"`
	Columns []string             `json:"columns"`
	Reading dispatch.ListReading `json:"reading"`

	Column string `json:"file,omitempty"` // of dispatch.Division: headings, which may say anything
	Giro   string `json:"giro,omitempty"`
}

// shipmentJobRow are the columns of a job that only jobs of shipments use.
type shipmentJobRow struct {
	LeftOut int                 `db:"rows_left_out"`
	Draft   string              `db:"draft_id"`
	Title   string              `db:"draft_title"`
	Looked  string              `db:"looked"`
	Divided dispatch.DocumentID `db:"split_document"`
	Pages   int                 `db:"split_pages"`
	Slices  int                 `db:"split_parts"`
	Kept    bool                `db:"split_kept"`
	By      dispatch.DivideBy   `db:"split_by"`
	Mark    string              `db:"split_mark"`
	Left    []byte              `db:"split_left"`
}

func (r shipmentJobRow) division() dispatch.Division {
	return dispatch.Division{Document: r.Divided, By: r.By, Mark: r.Mark, Pages: r.Pages, Slices: r.Slices, Kept: r.Kept}
}

// unassigned are the pages of the divided file that no slice has.
func (r shipmentJobRow) unassigned() (left []dispatch.UnassignedSlice, err error) {
	if err = json.Unmarshal(r.Left, &left); err != nil {
		err = fmt.Errorf("unassigned slices: %w", err)
	}
	return left, err
}

func (s contents) openJob(r jobRow) (dispatch.Job, error) {
	j := dispatch.Job{
		ID: r.ID, Kind: r.Kind, AccountID: r.Account, CreatedBy: r.CreatedBy, Creator: r.Creator, CreatedAt: r.CreatedAt, State: r.State, Mode: r.Mode,
		HideInReport: r.Hide, Timing: dispatch.Timing{SendAt: store.Deref(r.SendAt), Urgent: r.Urgent}, Template: r.Use(), TemplateName: r.TemplateName, Found: r.Found, Segments: r.Parts, SentAt: store.Deref(r.SentAt), DueAt: store.Deref(r.DueAt), Recipients: r.Recipients, Made: r.Made,
		MadeAt: store.Deref(r.MadeAt), StoppedAt: store.Deref(r.StoppedAt), HaltedAt: store.Deref(r.HaltedAt), HaltedBy: r.HaltedBy, DoneAt: store.Deref(r.DoneAt), Uncertain: r.Uncertain, Restored: r.Restored, Purged: r.Purged,
		List:  dispatch.JobList{Read: r.Read, Valid: r.Valid, Duplicate: r.Duplicate, Foreign: r.Foreign, Phone: r.Phone, Unfit: r.Unfit, Warned: r.Warned, LeftOut: r.LeftOut},
		Draft: dispatch.ItemID(r.Draft), DraftTitle: r.Title, Received: r.Received, AwaitsApproval: r.Waiting, ReturnedBy: r.ReturnedBy, Again: r.Again, Replaced: r.Replaced, AllReplaced: r.All, Former: dispatch.JobID(r.Former), ChecksVersion: r.Looked, Revision: r.Revision, Division: r.division(),
	}
	var err error
	if j.Unassigned, err = r.unassigned(); err != nil || r.Content == nil {
		return j, err
	}
	clear, err := s.Keys.Open(r.Content, store.JobPlace(r.ID))
	if err != nil {
		return j, err
	}
	var c jobContent
	if err := json.Unmarshal(clear, &c); err != nil {
		return j, fmt.Errorf("content of job %s: %w", r.ID, err)
	}
	j.Text, j.SecondText, j.Forms, j.Columns, j.Reading = c.Text, c.SecondText, c.Forms, c.Columns, c.Reading
	j.Division.Column, j.Division.Giro = c.Column, c.Giro
	return j, nil
}

func (s contents) sealJob(id dispatch.JobID, c jobContent) ([]byte, error) {
	clear, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("content of job %s: %w", id, err)
	}
	return s.Keys.Seal(clear, store.JobPlace(id))
}

// contentOf is the content of a job, to be changed and sealed again.
func contentOf(j dispatch.Job) jobContent {
	return jobContent{Text: j.Text, SecondText: j.SecondText, Forms: j.Forms, Columns: j.Columns, Reading: j.Reading, Column: j.Division.Column, Giro: j.Division.Giro}
}
