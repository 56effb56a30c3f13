package compose

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// parts is the draft's files as one recipient gets them: the slice or own file replaces the divided file, under the id that the
// form uses for it.
func (l listDraft) parts(part *dispatch.Document) []dispatch.Document {
	documents := slices.Clone(l.Documents)
	of := l.job.Division.Document
	if part == nil && l.ownFiles() {
		none := l.job.Division.AnyPart(dispatch.AnyPages)
		part = &none
	}
	if of == "" || part == nil {
		return documents
	}
	own := *part
	own.ID = of
	if i := slices.IndexFunc(documents, func(d dispatch.Document) bool { return d.ID == of }); i >= 0 {
		documents[i] = own
		return documents
	}
	return append([]dispatch.Document{own}, documents...)
}

// parseShipment is the shipment as one recipient gets it, and its problems.
func (s *shipmentJobDrafts) parseShipment(v frame.Visit, l listDraft, r dispatch.JobRow, part *dispatch.Document) (dispatch.Shipment, dispatch.Problems) {
	d := l.Draft
	d.Documents = l.parts(part)
	form, missing := l.form.Fill(l.job.Columns, l.job.MergeValues(r))
	content, ps := s.drafts.parseDraft(v, d, l.job.Division.RowForm(form, l.job.Columns, r.Fields).WithRecipient(*r.Shipment))
	if missing != "" && len(l.form.Unfilled(l.job.Columns)) == 0 {
		ps = append(dispatch.Problems{{Key: "problem.placeholder.empty", Args: dispatch.Args{"Name": missing}}}, ps...)
	}
	return content, ps
}

// pattern is what all shipments have in common, with the problems that every recipient has. The longest slice stands for all
// slices.
func (s *shipmentJobDrafts) pattern(c echo.Context, v frame.Visit, l listDraft) (dispatch.Shipment, dispatch.Problems, error) {
	var part *dispatch.Document
	if l.job.Division.Slices > 0 {
		longest, err := items.In(s.Store).Slices.Longest(frame.Context(c), v.Account.ID, l.job.ID)
		if err != nil {
			return dispatch.Shipment{}, nil, err
		}
		longest.Reading, longest.FileName = nil, l.dividedName(longest.FileName)
		if l.ownFiles() {
			sum := longest.SHA256
			longest = l.job.Division.AnyPart(longest.Pages)
			longest.SHA256 = sum
		}
		part = &longest
	}
	d := l.Draft
	d.Documents = l.parts(part)
	content, ps := s.drafts.parseDraft(v, d, l.job.Division.RowForm(l.form, nil, nil).WithRecipient(dispatch.ShipmentRecipient{}))
	ps = append(ps, s.otherTitle(v, d, l.form)...)
	long := func(p dispatch.Problem) bool { // depends on each row's fields
		return len(l.form.Placeholders()) > 0 && ((p.Field == dispatch.FieldTitle || p.Field == dispatch.FieldTitleNynorsk) && p.Key == "problem.title.long" || p.Field == dispatch.FieldReference)
	}
	ps = append(slices.DeleteFunc(ps, long), l.unfilled()...)
	if l.form.ToHealth() {
		ps = append(ps, dispatch.Problem{Field: dispatch.FieldHealth, Key: "problem.health.many"})
	}
	return content, slices.DeleteFunc(ps, func(p dispatch.Problem) bool {
		return compose.OfRow(p.Field)
	}), nil
}

// otherTitle are the problems of the second title, which the draft itself does not use.
func (s *shipmentJobDrafts) otherTitle(v frame.Visit, d dispatch.Draft, f dispatch.DraftFields) (wrong dispatch.Problems) {
	if !f.BothTitles() {
		return nil
	}
	other := dispatch.FieldTitleNynorsk
	if f.Form == dispatch.FormNynorsk {
		f.Form, other = dispatch.FormBokmal, dispatch.FieldTitle
	} else {
		f.Form = dispatch.FormNynorsk
	}
	_, ps := s.drafts.parseDraft(v, d, f)
	for _, p := range ps {
		if p.Field == other {
			wrong = append(wrong, p)
		}
	}
	return wrong
}

// unfilled are the problems of placeholders without a column in the list.
func (l listDraft) unfilled() dispatch.Problems {
	if len(l.job.Columns) == 0 {
		return nil // there is no list yet, or it was uploaded before columns were stored
	}
	return l.form.Unfilled(l.job.Columns)
}

// checksVersion names the version of everything that rows are checked against: the draft and the account's rules.
func (l listDraft) checksVersion(v frame.Visit) string {
	h := fnv.New64a()
	fmt.Fprint(h, v.Account.Generation(), v.Account.Rules())
	for _, d := range l.Documents {
		fmt.Fprint(h, d.ID)
	}
	return fmt.Sprintf("%d/%x", l.Version, h.Sum64())
}

// checkRows checks every row unless the checks are current, and returns the updated draft.
func (s *shipmentJobDrafts) checkRows(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems) (listDraft, error) {
	as := l.checksVersion(v)
	if l.job.ChecksVersion == as || l.job.AwaitsApproval {
		return l, nil
	}
	found, err := s.checkShipments(c, v, l, common)
	if found.As = as; err == nil {
		err = items.In(s.Store).ShipmentJobs.KeepChecks(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), l.job.Revision, found)
	}
	if err != nil {
		return l, err
	}
	return s.listDraft(c, v)
}

// checkedAtOnce is how many rows are read at a time.
const checkedAtOnce = 500

// checkShipments checks every row that is not left out. It returns rows whose result has changed or whose slice must be looked at.
func (s *shipmentJobDrafts) checkShipments(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems) (found items.Checks, err error) {
	check := rowCheck{s: s, v: v, l: l, common: common}
	if l.ownFiles() {
		if check.files, err = s.fileMatcher(c, v, l); err != nil {
			return found, err
		}
	}
	found.Giro = map[int][]int{}
	for after, n, more := -1, 0, true; more; {
		var rows []dispatch.JobRow
		if rows, more, err = items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, after, checkedAtOnce); err != nil || len(rows) == 0 {
			return found, err
		}
		parts, err := items.In(s.Store).Slices.List(frame.Context(c), v.Account.ID, l.job.ID, n+1, n+len(rows))
		if err != nil {
			return found, err
		}
		for i, was := range rows {
			if was.Problem.Key == dispatch.ProblemLeftOut {
				continue
			}
			is, giro := check.row(was, n+i+1, parts[n+i+1])
			if len(is.Doubts) > 0 || !is.SameFindings(was) {
				found.Rows = append(found.Rows, is)
			}
			if len(giro) > 0 {
				found.Giro[n+i+1] = giro
			}
		}
		after, n = rows[len(rows)-1].Position, n+len(rows)
	}
	return found, nil
}

// rowCheck checks rows of a list as shipments.
type rowCheck struct {
	s      *shipmentJobDrafts
	v      frame.Visit
	l      listDraft
	common dispatch.Problems     // problems that all rows share
	files  *dispatch.FileMatcher // nil: rows have no own files
	list   dispatch.ShipmentList
}

// row checks the row at a place of the list with its slice or own file, and returns the giro pages of that.
func (k *rowCheck) row(r dispatch.JobRow, place int, part *dispatch.Document) (dispatch.JobRow, []int) {
	if r.Misread() {
		return r, nil
	}
	content, ps := k.s.parseShipment(k.v, k.l, r, part)
	r.Problem, r.Warnings = dispatch.Problem{}, append(r.ReadWarnings(), shipmentWarnings(content)...)
	own := k.l.own(content)
	if r.Doubts = own.Doubts(k.v.Account.Rules(), content.Recipient.Postal); len(r.Doubts) > 0 {
		r.SliceHash = own.SHA256
	}
	first := k.list.Duplicate(r.Position, *r.Shipment)
	switch ps = without(ps, k.common); {
	case k.files != nil && part == nil:
		r.Problem = k.files.Problem(place)
	case len(ps) > 0:
		r.Problem = ps[0]
	case first > 0:
		r.Problem = dispatch.Problem{Field: dispatch.FieldRecipientNumber, Key: dispatch.ProblemDuplicate, Args: dispatch.Args{"N": first}}
	case k.l.job.Division.By.Matched() && part == nil:
		r.Problem.Key = dispatch.ProblemNoSlice
	}
	r.Column = r.Problem.Field
	return r, own.GiroPages
}

// without leaves out problems that all rows share.
func without(ps, common dispatch.Problems) dispatch.Problems {
	return slices.DeleteFunc(slices.Clone(ps), func(p dispatch.Problem) bool {
		return slices.ContainsFunc(common, func(o dispatch.Problem) bool { return o.Field == p.Field && o.Key == p.Key })
	})
}

// shipmentWarnings are the warnings about one shipment.
func shipmentWarnings(content dispatch.Shipment) (list []dispatch.RowWarning) {
	if !content.Recipient.Digital.CheckDigitsFit() {
		list = append(list, dispatch.RowWarning{Key: "hint.shipment.check"})
	}
	return list
}

// own is the recipient's slice or own file in a shipment; zero: everybody gets the same files.
func (l listDraft) own(content dispatch.Shipment) dispatch.Document {
	for _, d := range content.Documents {
		if d.ID == l.job.Division.Document {
			return d
		}
	}
	return dispatch.Document{}
}

// shipmentRows is a draft with its checked rows, and the problems that all of them share.
func (s *shipmentJobDrafts) shipmentRows(c echo.Context, v frame.Visit) (listDraft, dispatch.Problems, error) {
	l, err := s.listDraft(c, v)
	if err != nil {
		return l, nil, err
	}
	if l.job.ID == "" {
		return l, nil, store.ErrNotFound
	}
	if l, err = s.matchFiles(c, v, l); err != nil {
		return l, nil, err
	}
	_, common, err := s.pattern(c, v, l)
	if err == nil {
		l, err = s.checkRows(c, v, l, common)
	}
	return l, common, err
}
