package compose

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/recipients"
	"utsending/internal/store/items"
	"utsending/internal/views/compose"
)

// left is the account's remaining quota and budget of this month.
func (s *measure) left(c echo.Context, v frame.Visit) (dispatch.Quota, dispatch.Budget, error) {
	quota, err := items.In(s.Store).Budgets.SMSQuota(frame.Context(c), v.Account.ID)
	if err != nil {
		return quota, dispatch.Budget{}, err
	}
	budget, err := items.In(s.Store).Budgets.Of(frame.Context(c), v.Account)
	return quota, budget, err
}

// measured analyses a text within the account's quota and budget.
func (s *measure) measured(c echo.Context, v frame.Visit, text string) (compose.Measured, error) {
	quota, budget, err := s.left(c, v)
	return compose.Measure(text, v.Account, s.Municipality, quota).With(budget), err
}

// measuredTemplate analyses a text of a template.
func (s *measure) measuredTemplate(c echo.Context, v frame.Visit, field, text string) (compose.Measured, error) {
	quota, budget, err := s.left(c, v)
	return compose.MeasureTemplate(field, text, v.Account, s.Municipality, quota).With(budget), err
}

// measuredTexts analyses both texts of a draft's list; the one in nynorsk is zero if there is none.
func (s *measure) measuredTexts(c echo.Context, v frame.Visit, j dispatch.Job, f compose.JobForm) (text, nynorsk compose.Measured, err error) {
	j.Text, j.SecondText = f.Text, f.SecondText
	if text, err = s.measuredJob(c, v, j, dispatch.FieldText, f.Mode); err != nil || !j.Both() && dispatch.FormColumn(j.Columns) < 0 {
		return text, nynorsk, err
	}
	nynorsk, err = s.measuredJob(c, v, j, dispatch.FieldNynorsk, f.Mode)
	return text, nynorsk, err
}

// measuredJob analyses one of a draft's texts, filled with the fields of every row that gets it.
func (s *measure) measuredJob(c echo.Context, v frame.Visit, j dispatch.Job, field string, mode dispatch.JobMode) (compose.Measured, error) {
	quota, budget, err := s.left(c, v)
	if err != nil {
		return compose.Measured{}, err
	}
	text, form := j.Text, dispatch.FormBokmal
	if field == dispatch.FieldNynorsk {
		text, form = j.Nynorsk, dispatch.FormNynorsk
	}
	t, longest := recipients.ParseTemplate(text), text
	many := compose.ForMany{Unknown: unknown(j, t)}
	switch {
	case len(many.Unknown) > 0, text == "":
	case len(t.Names()) == 0 && !j.Both():
		list := j.List
		list.Unfit = 0
		many.Forecast = t.ForecastFor(list.Recipients(mode))
	default:
		l, err := s.lengths(c, v, j, form, t.Names())
		if err != nil {
			return compose.Measured{}, err
		}
		if len(t.Names()) == 0 {
			many.Forecast = t.ForecastFor(l.Rows())
		} else if many.Forecast = t.Forecast(l); many.Longest > 0 {
			many.Row = many.Longest
			if longest, err = s.messageOf(c, v, j, t, many.Row); err != nil {
				return compose.Measured{}, err
			}
		}
	}
	m := compose.MeasureMany(text, longest, many, v.Account, s.Municipality, quota).With(budget)
	m.Of = field
	return m, nil
}

// unknown are the placeholders of a text without a column in the list.
func unknown(j dispatch.Job, t recipients.Template) (names []string) {
	for _, name := range t.Names() {
		if !slices.Contains(j.Columns, name) {
			names = append(names, name)
		}
	}
	return names
}

// messageOf is the message of one row.
func (s *measure) messageOf(c echo.Context, v frame.Visit, j dispatch.Job, t recipients.Template, at int) (string, error) {
	rows, _, err := items.In(s.Store).Rows.Read(frame.Context(c), v.Account.ID, j.ID, items.RowsValid, at-1, 1)
	if err != nil || len(rows) == 0 {
		return "", err
	}
	text, _ := t.Fill(recipients.Values(j.Columns, rows[0].Fields))
	return text, nil
}

const (
	keptLengths = 1 << 20 // values in all lists
	lengthsAge  = 10 * time.Minute
)

// listLengths caches the lengths of fields of the lists that people write to now: reading fifty thousand rows after every pause in
// typing would take a second each time. Of the words it holds only those with characters of two UTF-16 units.
type listLengths struct {
	mu   sync.Mutex
	kept []measuredList // oldest first
}

type measuredList struct {
	job      dispatch.JobID
	revision string
	rows     string // which rows: all, or those of one written form
	at       time.Time
	lengths  *recipients.Lengths
}

// find returns the cached lengths of a list, if they are current.
func (k *listLengths) find(j dispatch.Job, rows string, names []string) *recipients.Lengths {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, m := range k.kept {
		if m.job == j.ID && m.revision == j.Revision && m.rows == rows && m.lengths.Knows(names) {
			return m.lengths
		}
	}
	return nil
}

// keep replaces the cached lengths of a list, and evicts the oldest entries.
func (k *listLengths) keep(fresh measuredList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(slices.DeleteFunc(k.kept, func(m measuredList) bool {
		return m.job == fresh.job && (m.revision != fresh.revision || m.rows == fresh.rows)
	}), fresh)
	size := 0
	for _, m := range k.kept {
		size += m.lengths.Size()
	}
	for len(k.kept) > 0 && (size > keptLengths || fresh.at.Sub(k.kept[0].at) > lengthsAge) {
		size -= k.kept[0].lengths.Size()
		k.kept = k.kept[1:]
	}
}

// lengths measures the fields of the rows that get a text in a written form, or finds them cached.
func (s *measure) lengths(c echo.Context, v frame.Visit, j dispatch.Job, form dispatch.WrittenForm, names []string) (*recipients.Lengths, error) {
	which := ""
	if j.Both() {
		which = string(form) + "/" + string(j.Otherwise)
	}
	if l := s.lists.find(j, which, names); l != nil {
		return l, nil
	}
	l, m := recipients.NewLengths(names), recipients.MessageOf(j)
	for r, err := range items.In(s.Store).Rows.Each(frame.Context(c), v.Account.ID, j.ID, items.RowsValid) {
		if err != nil {
			return nil, err
		}
		if !j.Both() || m.Form(r) == form {
			l.Add(r.Position, recipients.Values(j.Columns, r.Fields))
		}
	}
	s.lists.keep(measuredList{j.ID, j.Revision, which, s.Now(), l})
	return l, nil
}

func (s *measure) showCount(c echo.Context, v frame.Visit, m compose.Measured, err error) error {
	if err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, compose.SMSCount(s.Page(c, v, "sms.new.title"), m))
}

// measuredRow analyses the message of one row.
func (s *measure) measuredRow(v frame.Visit, m recipients.Message, r dispatch.JobRow) compose.Measured {
	text, _ := m.Fill(r)
	return compose.MeasureRow(r.Position, text, r.Fields, v.Account, s.Municipality)
}

// typeFields sets the fields of a row as typed, with look-alikes replaced if that was asked for, and tells whether any changes.
func typeFields(f *compose.JobFault, j dispatch.Job, typed url.Values) (changed bool) {
	f.Fields = slices.Clone(f.Fields)
	plain := typed.Get(compose.FieldReplace) == compose.RowOf(f.Position)
	for i := range min(len(j.Columns), len(f.Fields)) {
		name := f.FieldName(i)
		if !typed.Has(name) {
			continue
		}
		value := typed.Get(name)
		if plain {
			value = dispatch.Plain(value)
		}
		if value != f.Fields[i] {
			f.Fields[i], changed = value, true
		}
	}
	return changed
}
