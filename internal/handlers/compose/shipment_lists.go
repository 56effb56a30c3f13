package compose

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/recipients"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/views"
	"utsending/internal/views/compose"
)

// Take reads a list into a shipment's draft, replacing an earlier one.
func (s *ShipmentLists) Take(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.intake.takeList(c, v, intake{
		job: func(string) (dispatch.JobID, error) {
			return items.In(s.Store).ShipmentJobs.Create(frame.Context(c), v.Account.ID, l.Item.ID, frame.Actor(c, v.User))
		},
		fill: s.fillShipments,
		refused: func(r received, ps dispatch.Problems) error {
			return s.lists.showShipments(c, v, l, l.splitForm(), r, ps)
		},
		done: func(dispatch.JobID) error { return s.afterShipmentList(c, v) },
	})
}

// afterShipmentList checks the rows of a new list with the shipment as it is now.
func (s *ShipmentLists) afterShipmentList(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err == nil {
		l, err = s.lists.matchFiles(c, v, l)
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	_, ps, err := s.lists.pattern(c, v, l)
	if err != nil {
		return err
	}
	if _, err = s.lists.checkRows(c, v, l, ps); err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
}

// fillShipments reads a stored list into the rows of a shipment's draft.
func (s *ShipmentLists) fillShipments(c echo.Context, v frame.Visit, id dispatch.JobID, list listAs) error {
	l, err := recipients.OpenShipmentsAs(list.in, list.size, list.choice)
	if err != nil {
		return err
	}
	_, err = items.In(s.Store).Rows.Fill(frame.Context(c), v.Account.ID, id, frame.Actor(c, v.User), items.List{Again: list.again, Columns: l.Fields(), Reading: l.Reading, Rows: func(do func(dispatch.JobRow) error) error {
		return l.Each(dispatch.ShipmentRowsMax, func(r dispatch.JobRow) error { return do(s.lists.fillPlace(r, dispatch.PostalAddress{})) })
	}})
	return err
}

// ShowFaults lists the rows that block a shipment, and the skipped ones; or shows the one row that the address names.
func (s *ShipmentLists) ShowFaults(c echo.Context, v frame.Visit) error {
	l, common, err := s.lists.shipmentRows(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if l.job.AllReplaced { // the page of the list says so
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	return s.showFaults(c, v, l, common, position(c.QueryParam(compose.FieldRow)), nil)
}

// showRow shows the form of one row again, with its problems.
func (s *ShipmentLists) showRow(c echo.Context, v frame.Visit, row int, ps dispatch.Problems) error {
	l, common, err := s.lists.shipmentRows(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.showFaults(c, v, l, common, row, ps)
}

func (s *ShipmentLists) showFaults(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems, one int, ps dispatch.Problems) error {
	title, which, after, most := "shipments.faults.title", items.RowsFaulty, position(c.QueryParam("etter")), frame.PageSize
	if l.job.List.Faulty() == 0 {
		title = "job.faults.title"
	}
	if one > 0 {
		title, which, after, most = "shipments.row.title", items.RowsAll, one-1, 1
	}
	rows, more, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, which, after, most)
	if err != nil {
		return err
	}
	if one <= 0 && len(rows) == 0 && l.job.Replaced > 0 { // the page of the list has those that must be left out
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere"))
	}
	if one > 0 && (len(rows) == 0 || rows[0].Position != one) {
		return store.ErrNotFound
	}
	p := compose.ShipmentFaultsPage{Page: s.Page(c, v, title), ID: l.Item.ID, Job: l.job, One: one, Used: l.used(), Names: l.names()}
	replaced, err := s.replacedLines(c, v, l.job, which, after, most)
	if err != nil {
		return err
	}
	if line := replaced[one]; line != nil && !line.Out {
		p.Out, p.Title = line, i18n.T(frame.Context(c), "job.unreached.out")
	}
	if one > 0 && rows[0].Problem.Key == dispatch.ProblemLeftOut {
		p.Title = i18n.T(frame.Context(c), "job.faults.title")
	}
	p.Section, p.Narrow, p.Problems = views.SectionNewShipment, true, ps
	for _, r := range rows {
		f, err := s.shipmentFault(c, v, l, common, r)
		if err != nil {
			return err
		}
		f.Replaced = replaced[r.Position]
		p.Faults = append(p.Faults, f)
	}
	if more && one <= 0 {
		p.More = frame.DraftPath(v, l.Item.ID, "flere", "feil") + "?etter=" + strconv.Itoa(rows[len(rows)-1].Position)
	}
	return frame.Show(c, frame.FormStatus(ps), compose.ShipmentFaults(p))
}

// replacedLines are, by position, the rows of a draft to those whom an earlier job did not reach whose recipients were sent the same meanwhile.
func (s *ShipmentLists) replacedLines(c echo.Context, v frame.Visit, j dispatch.Job, which items.RowChoice, after, most int) (map[int]*compose.UnreachedLine, error) {
	found := map[int]*compose.UnreachedLine{}
	if !j.Again {
		return found, nil
	}
	rows, _, err := items.In(s.Store).Rows.Unreached(frame.Context(c), v.Account.ID, j.ID, which, after, most)
	for _, l := range unreachedLines(j, rows) {
		if l.Replaced {
			found[l.Row] = &l
		}
	}
	return found, err
}

// used are the columns that placeholders name and that are not the recipient's, the column with the written form, and columns
// about own files and slices.
func (l listDraft) used() (columns []int) {
	for _, name := range l.form.Placeholders() {
		key := dispatch.PlaceholderKey(name)
		if i := slices.Index(l.job.Columns, key); i >= 0 && l.job.Reading.Recipient[key] == "" && !slices.Contains(l.job.Reading.Names, key) {
			columns = append(columns, i)
		}
	}
	if i := dispatch.FormColumn(l.job.Columns); i >= 0 && l.form.BothTitles() && !slices.Contains(columns, i) {
		columns = append(columns, i)
	}
	for _, name := range []string{l.job.Division.Column, l.job.Division.Giro} {
		if i := slices.Index(l.job.Columns, name); i >= 0 && !slices.Contains(columns, i) {
			columns = append(columns, i)
		}
	}
	return columns
}

// names are the columns of the name, where it is in parts: a title can name one of them.
func (l listDraft) names() (columns []int) {
	for _, name := range l.job.Reading.Names {
		if i := slices.Index(l.job.Columns, name); i >= 0 {
			columns = append(columns, i)
		}
	}
	return columns
}

// headings are those of the fields of recipients in the file of faulty rows: the list's own, where a title names them.
func (s *ShipmentLists) headings(l listDraft) (headings []string) {
	named := l.form.Placeholders()
	for i, name := range named {
		named[i] = dispatch.PlaceholderKey(name)
	}
	for _, field := range compose.ShipmentFields() {
		label := s.Languages.Default.Text(compose.ShipmentLabel(field))
		switch column := l.job.Reading.ColumnOf(field); {
		case field == dispatch.FieldName && len(l.names()) > 0:
			headings = append(headings, l.job.Reading.Names...)
		case slices.Contains(named, column) && dispatch.PlaceholderKey(label) != column:
			headings = append(headings, column)
		default:
			headings = append(headings, label)
		}
	}
	return headings
}

// cells are the values under the headings.
func (l listDraft) cells(r dispatch.JobRow) (cells []string) {
	for _, field := range compose.ShipmentFields() {
		if names := l.names(); field == dispatch.FieldName && len(names) > 0 {
			for _, i := range names {
				cells = append(cells, compose.PersonalValue(r, i))
			}
			continue
		}
		cells = append(cells, *r.Shipment.At(field))
	}
	return cells
}

// shipmentFault is a row as its form shows it, each problem at its field.
func (s *ShipmentLists) shipmentFault(c echo.Context, v frame.Visit, l listDraft, common dispatch.Problems, r dispatch.JobRow) (compose.ShipmentFault, error) {
	f := compose.ShipmentFault{JobRow: r}
	var ps dispatch.Problems
	if r.Problem.Key != "" {
		ps = dispatch.Problems{r.Problem}
	}
	switch r.Problem.Key {
	case dispatch.ProblemLeftOut:
		return f, nil
	case dispatch.ProblemDuplicate, dispatch.ProblemQuote, dispatch.ProblemAbove, dispatch.ProblemError:
	default:
		part, err := s.partOf(c, v, l, r.Position)
		if err != nil {
			return f, err
		}
		_, all := s.lists.parseShipment(v, l, r, part)
		if all = without(all, common); r.Problem.OfFile() {
			ps = append(ps, all...)
		} else if len(all) > 0 {
			ps = all
		}
		f.Slice = part
	}
	for _, p := range ps {
		p.Field = l.fieldOf(p)
		p.Field = f.FieldName(p.Field)
		f.Problems = append(f.Problems, p)
	}
	return f, nil
}

// fieldOf is the field of a row's form that a problem belongs to. Problems of an own file belong to the column that names the file.
func (l listDraft) fieldOf(p dispatch.Problem) string {
	of := l.job.Division
	column := ""
	switch {
	case p.Field == dispatch.PagesField(of.Document):
		column = of.Giro
	case p.OfFile(), p.Field == dispatch.FieldDocument+string(of.Document):
		column = of.Column
	}
	if i := slices.Index(l.job.Columns, column); i >= 0 {
		return compose.PersonalField(i)
	}
	if names := l.names(); p.Field == dispatch.FieldName && len(names) > 0 {
		return compose.PersonalField(names[0])
	}
	return p.Field
}

// partOf is a row's slice of the divided file; nil if no file is divided.
func (s *ShipmentLists) partOf(c echo.Context, v frame.Visit, l listDraft, at int) (*dispatch.Document, error) {
	if l.job.Division.Slices == 0 {
		return nil, nil
	}
	before, err := items.In(s.Store).Rows.Before(frame.Context(c), v.Account.ID, l.job.ID, at)
	if err != nil {
		return nil, err
	}
	parts, err := items.In(s.Store).Slices.List(frame.Context(c), v.Account.ID, l.job.ID, before+1, before+1)
	return parts[before+1], err
}

// FixFaults saves corrections of rows, and skips rows. Rows that are still faulty stay on the page.
func (s *ShipmentLists) FixFaults(c echo.Context, v frame.Visit) error {
	values, err := c.FormParams()
	if err != nil {
		return frame.BadForm(err)
	}
	l, _, err := s.lists.shipmentRows(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	was := l.job.List
	var done rowsChanged
	for _, text := range values[compose.FieldRow][:min(len(values[compose.FieldRow]), frame.PageSize)] {
		if err := s.fixShipmentRow(c, v, l, position(text), values, &done); err != nil {
			return s.drafts.draftGone(c, v, err)
		}
	}
	if l, _, err = s.lists.shipmentRows(c, v); err == nil && values.Get("neste") == "utelat" {
		done.out += l.job.List.Faulty()
		if err = items.In(s.Store).ShipmentJobs.LeaveOutFaulty(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User)); err == nil {
			l, _, err = s.lists.shipmentRows(c, v)
		}
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	if one := position(values.Get(compose.FieldRow)); one > 0 && values.Get(compose.FieldOne) != "" {
		return s.afterOneRow(c, v, l, one, done)
	}
	done.fixed = was.Faulty() - l.job.List.Faulty() - done.out // those were faulty: the page has no others that can be left out
	switch {
	case l.job.List.Faulty() > 0:
		return s.intake.rowsFixed(c, frame.DraftPath(v, l.Item.ID, "flere", "feil"), done)
	case done.out+done.in > 0 || was.Faulty() == 0:
		return s.intake.rowsFixed(c, frame.DraftPath(v, l.Item.ID, "flere"), done)
	}
	return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere"), "flash.shipments_ready", 0)
}

// afterOneRow redirects from the form of one row to its place on the review, or shows the remaining problems.
func (s *ShipmentLists) afterOneRow(c echo.Context, v frame.Visit, l listDraft, at int, done rowsChanged) error {
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, items.RowsFaulty, at-1, 1)
	if err != nil {
		return err
	}
	row := strconv.Itoa(at)
	if len(rows) > 0 && rows[0].Position == at && rows[0].Problem.Key != dispatch.ProblemLeftOut {
		return frame.SeeOther(c, frame.DraftPath(v, l.Item.ID, "flere", "feil")+"?"+compose.FieldRow+"="+row)
	}
	review := frame.DraftPath(v, l.Item.ID, "flere", "kontroll")
	if done.out > 0 { // the row has no place there any longer
		return s.FlashTo(c, review, "flash.row_left_out", 0)
	}
	flash := "flash.row_saved"
	if done.in > 0 {
		flash = "flash.row_taken_in"
	}
	if at > shownShipments {
		review += "?etter=" + strconv.Itoa(at-1)
	}
	return s.FlashTo(c, review+"#rad-"+row, flash, 0)
}

// fixShipmentRow corrects one row, skips it, or includes it again.
func (s *ShipmentLists) fixShipmentRow(c echo.Context, v frame.Visit, l listDraft, at int, values url.Values, done *rowsChanged) error {
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, l.job.ID, items.RowsAll, at-1, 1)
	if err != nil || len(rows) == 0 || rows[0].Position != at {
		return err // the list was replaced meanwhile
	}
	r := rows[0]
	f, was, filled := compose.ShipmentFault{JobRow: r}, *r.Shipment, false
	for _, i := range append(l.used(), l.names()...) {
		if name := f.FieldName(compose.PersonalField(i)); i < len(r.Fields) && values.Has(name) && values.Get(name) != r.Fields[i] {
			r.Fields[i], filled = values.Get(name), true
		}
	}
	for _, name := range compose.ShipmentFields() {
		if values.Has(f.FieldName(name)) {
			*r.Shipment.At(name) = values.Get(f.FieldName(name))
		}
	}
	if filled {
		l.joinName(r)
	}
	r.Shipment.Twice = r.Shipment.Twice || values.Get(f.FieldName("likevel")) == "true"
	out, wasOut := values.Get(f.FieldName("utelat")) == "true", r.Problem.Key == dispatch.ProblemLeftOut
	r = s.lists.fillPlace(r, was.Postal)
	if *r.Shipment == was && out == wasOut && !filled {
		return nil
	}
	if out != wasOut {
		done.add(wasOut, out)
	}
	r.Problem, r.Column, r.Warnings = dispatch.Problem{}, "", nil
	if out {
		r.Problem.Key = dispatch.ProblemLeftOut
	}
	return items.In(s.Store).Rows.Fix(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User), r)
}

// joinName makes the name of its parts.
func (l listDraft) joinName(r dispatch.JobRow) {
	var parts []string
	for _, i := range l.names() {
		parts = append(parts, strings.TrimSpace(compose.PersonalValue(r, i)))
	}
	if len(parts) > 0 {
		r.Shipment.Postal.Name = strings.TrimSpace(strings.Join(parts, " "))
	}
}

// FaultsFile returns the faulty rows of a draft as CSV, which can be corrected and read as a list again.
func (s *ShipmentLists) FaultsFile(c echo.Context, v frame.Visit) error {
	l, _, err := s.lists.shipmentRows(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	headings := s.headings(l)
	own := slices.DeleteFunc(l.used(), func(i int) bool { // address columns are written already
		return slices.ContainsFunc(headings, func(h string) bool { return dispatch.PlaceholderKey(h) == l.job.Columns[i] })
	})
	for _, i := range own {
		headings = append(headings, l.job.Columns[i])
	}
	if err := s.intake.exportFaults(c, v, l.job.ID); err != nil {
		return err
	}
	frame.LongDownload(c)
	frame.Attach(c, frame.KindCSV, "rader-med-feil.csv")
	out, err := recipients.NewBadRows(c.Response(), &recipients.List{Headings: headings}, s.Languages.Default.Text("job.faults.heading"))
	if err != nil {
		return err
	}
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, l.job.ID, items.RowsFaulty) {
		if err != nil {
			return err
		}
		if r.Problem.Key == dispatch.ProblemLeftOut {
			continue
		}
		cells := l.cells(r)
		for _, i := range own {
			cells = append(cells, compose.PersonalValue(r, i))
		}
		column := ""
		if label := compose.ShipmentLabel(r.Column); label != "" {
			column = s.Languages.Default.Text(label)
		}
		if err := out.Add(cells, sentence(c, column, r.Problem)); err != nil {
			return err
		}
	}
	return out.Close()
}

// ReadAgain reads the list of a shipment's draft with a person's choices.
func (s *ShipmentLists) ReadAgain(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	p, err := s.intake.fillAgain(c, v, l.job.ID, s.fillShipments)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.FlashTo(c, frame.DraftPath(v, l.Item.ID, "flere"), "flash.list_gone", 0)
	case err != nil:
		return s.drafts.draftGone(c, v, err)
	case p != nil:
		return s.lists.showShipments(c, v, l, l.splitForm(), received{}, dispatch.Problems{*p})
	}
	return s.afterShipmentList(c, v)
}

// Remove removes the list: the draft goes to one again.
func (s *ShipmentLists) Remove(c echo.Context, v frame.Visit) error {
	l, err := s.lists.listDraft(c, v)
	if err == nil && l.job.ID != "" {
		err = items.In(s.Store).ShipmentJobs.Drop(frame.Context(c), v.Account.ID, l.job.ID, frame.Actor(c, v.User))
	}
	if err != nil {
		return s.drafts.draftGone(c, v, err)
	}
	return s.FlashTo(c, frame.DraftPath(v, l.Item.ID), "flash.list_dropped", 0)
}
