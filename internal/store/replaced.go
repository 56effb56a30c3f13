package store

import "utsending/internal/dispatch"

// SoonReplaced is the condition that a job that has been sent makes an item in place of the item it, and has not made it yet.
const SoonReplaced = `EXISTS (SELECT ` + FromSoonReplacing + `)`

// FromSoonReplacing is the rest of a query for such jobs; the job's alias is k.
const FromSoonReplacing = `FROM job_rows l JOIN jobs k ON k.id = l.job_id WHERE l.replaces = it.id AND k.account_id = it.account_id AND k.sent_at IS NOT NULL AND k.made_at IS NULL`

// HasReplacement is the condition on an item it that something was sent in its place or is about to be.
const HasReplacement = `(EXISTS (` + Replacing + `) OR ` + SoonReplaced + `)`

// ReplacedMeanwhile is the condition that the recipient of an item it, which had ended badly when a draft to replace it was made, has been
// sent something in its place, or that it was itself sent again or got another status.
var ReplacedMeanwhile = `(` + HasReplacement + ` OR it.state <> 'cancelled' AND NOT ` + EndedBadly + `)`

// EndedBadly is the condition on an item it that it was not sent, or surely did not reach its recipient.
var EndedBadly = `(` + endedBadly(dispatch.KindSMS) + ` OR ` + endedBadly(dispatch.KindShipment) + `)`

func endedBadly(k dispatch.Kind) string {
	return `it.kind = '` + string(k) + `' AND (` + GroupClause(k, dispatch.JobNotSent) + ` OR ` + GroupClause(k, dispatch.JobNotDelivered) + `)`
}

// Of a draft j to those whom an earlier job did not reach: how many of its valid rows have originals that meet ReplacedMeanwhile, and
// whether it has no other rows, valid or left out. Of any other job: 0 and false.
var (
	RowsReplaced = `CASE WHEN ` + draftToUnreached + ` THEN (SELECT count(*) FROM job_rows r JOIN items it ON it.id = r.replaces AND it.account_id = j.account_id
	    WHERE r.job_id = j.id AND r.problem = '' AND ` + ReplacedMeanwhile + `) ELSE 0 END`
	AllReplaced = `CASE WHEN ` + draftToUnreached + ` THEN EXISTS (SELECT FROM job_rows r WHERE r.job_id = j.id` + RowsChosen + `)
	    AND NOT EXISTS (SELECT ` + fromUnreplaced + RowsChosen + `) ELSE false END`
)

const draftToUnreached = `j.state = 'draft' AND ` + ToUnreached

// RowsLeft is how many rows of a draft j to those whom an earlier job did not reach can be sent as they are, or once they are corrected.
var RowsLeft = `(SELECT count(*) ` + fromUnreplaced + ` AND r.problem <> '` + dispatch.ProblemLeftOut + `')`

// fromUnreplaced is the rest of a query for the rows r of such a draft j whose original does not meet ReplacedMeanwhile, or is deleted.
var fromUnreplaced = `FROM job_rows r LEFT JOIN items it ON it.id = r.replaces AND it.account_id = j.account_id
	WHERE r.job_id = j.id AND (it.id IS NULL OR NOT ` + ReplacedMeanwhile + `)`

// RowsChosen is the condition on rows r of a list, after others, that they are valid or that a person has left them out.
const RowsChosen = ` AND r.problem IN ('', '` + dispatch.ProblemLeftOut + `')`

// DraftList is what lists of drafts read of the list of a shipment, with DraftListColumns and DraftListJoin; the items table's alias is it.
type DraftList struct {
	Read        int  `db:"rows_read"`
	Valid       int  `db:"rows_valid"`
	LeftOut     int  `db:"rows_left_out"`
	Again       bool `db:"again"`
	Replaced    int  `db:"replaced"`
	AllReplaced bool `db:"all_replaced"`
}

// DraftListColumns and DraftListJoin read a DraftList.
const DraftListColumns = `coalesce(l.rows_read, 0) AS rows_read, coalesce(l.rows_valid, 0) AS rows_valid, coalesce(l.rows_left_out, 0) AS rows_left_out,
	coalesce(l.again, false) AS again, coalesce(l.replaced, 0) AS replaced, coalesce(l.all_replaced, false) AS all_replaced`

// DraftListJoin is described at DraftListColumns.
var DraftListJoin = `
	LEFT JOIN LATERAL (
		SELECT j.rows_read, j.rows_valid, j.rows_left_out, ` + ToUnreached + ` AS again, ` + RowsReplaced + ` AS replaced, ` + AllReplaced + ` AS all_replaced
		FROM jobs j WHERE j.draft_id = it.id AND j.account_id = it.account_id LIMIT 1) l ON true`

// Many is the list as a draft; nil: there is none.
func (l DraftList) Many() *dispatch.Job {
	if l.Read == 0 {
		return nil
	}
	return &dispatch.Job{Kind: dispatch.KindShipment, State: dispatch.JobDraft, List: dispatch.JobList{Read: l.Read, Valid: l.Valid, LeftOut: l.LeftOut},
		Again: l.Again, Replaced: l.Replaced, AllReplaced: l.AllReplaced}
}
