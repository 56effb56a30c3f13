package admin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/table"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// logSize is the number of lines on a page of the event log.
const logSize = 100

// OnAudit lets only users with the right to audit, in the system or on any account, reach a handler.
func (s *Audit) OnAudit(h func(echo.Context, frame.Visit) error) echo.HandlerFunc {
	return s.SignedIn(func(c echo.Context, v frame.Visit) error {
		if !v.User.Audits().Any() {
			return echo.ErrForbidden
		}
		return h(c, v)
	})
}

// Show shows the event log, newest first.
func (s *Audit) Show(c echo.Context, v frame.Visit) error {
	return s.showLogWith(c, v, nil)
}

// Verify verifies the whole event log against its chain and shows the result above the log.
func (s *Audit) Verify(c echo.Context, v frame.Visit) error {
	found, err := registry.In(s.Store).Audit.Verify(frame.Context(c))
	if err != nil {
		return err
	}
	if err := s.recordLog(c, v, "log.verify", map[string]any{"lines": found.Lines, "failed": !found.Whole()}); err != nil {
		return err
	}
	check := &admin.LogCheck{Lines: int(found.Lines), First: int(found.First), Waiting: int(found.Waiting), End: found.Last.String()}
	for _, b := range found.Breaks {
		check.Breaks = append(check.Breaks, admin.LogBreak{Kind: string(b.Kind), Position: strconv.FormatInt(b.Position, 10), Line: strconv.FormatInt(b.Audit, 10)})
	}
	return s.showLogWith(c, v, check)
}

func (s *Audit) showLogWith(c echo.Context, v frame.Visit, check *admin.LogCheck) error {
	p, err := s.logPage(c, v)
	if err != nil {
		return err
	}
	p.Check = check
	if len(p.Problems) > 0 {
		return frame.Show(c, http.StatusUnprocessableEntity, admin.Log(p))
	}
	before := readAuditKey(c.QueryParam(admin.FieldLogOlder))
	lines, more, err := registry.In(s.Store).Audit.List(frame.Context(c), v.User.Audits(), p.Filter, before, logSize)
	if err != nil {
		return err
	}
	if p.Lines, err = s.namedLines(c, lines); err != nil {
		return err
	}
	if more {
		p.Older = auditKeyText(lines[len(lines)-1])
	}
	p.Later = before != nil
	if err := s.recordLog(c, v, "log.read", nil); err != nil {
		return err
	}
	return frame.Show(c, http.StatusOK, admin.Log(p))
}

// namedLines are lines of the log with the names of the users, integrations and templates that they are about.
func (s *Audit) namedLines(c echo.Context, lines []store.AuditLine) ([]admin.LogLine, error) {
	shown, ids := make([]admin.LogLine, len(lines)), []string{}
	for i, l := range lines {
		shown[i] = logLine(l)
		ids = append(append(ids, l.Object), shown[i].NamedIDs()...)
	}
	names, err := registry.In(s.Store).Audit.Names(frame.Context(c), slices.DeleteFunc(ids, func(id string) bool { return !frame.IsID(id) }))
	if err != nil {
		return nil, err
	}
	for id, at := range names.Entered {
		names.Of[id] = views.Precise(frame.Context(c), at)
	}
	for i := range shown {
		l := &shown[i]
		l.Name, l.Names, l.Job = names.Of[l.Object], names.Of, names.Jobs[l.Object]
		l.Gone = strings.HasPrefix(l.Action, "integration.") && frame.IsID(l.Object) && !names.Integrations[l.Object]
	}
	return shown, nil
}

// logPage is the page with the filter in the address.
func (s *Audit) logPage(c echo.Context, v frame.Visit) (admin.LogPage, error) {
	p := admin.LogPage{Page: s.Page(c, v, "audit.title")}
	p.Section = views.SectionLog
	p.Form, p.Filter, p.Problems = readLogFilter(c)
	protected, err := s.Store.AuditProtected(frame.Context(c))
	if err != nil {
		return p, err
	}
	p.Open = !protected
	people, err := registry.In(s.Store).Audit.Auditees(frame.Context(c), v.User.Audits())
	if err != nil {
		return p, err
	}
	for _, one := range people {
		p.People = append(p.People, admin.Choice{Value: string(one.ID), Name: one.Name})
	}
	accounts, err := s.system.auditedAccounts(c, v)
	for _, a := range accounts {
		p.Accounts = append(p.Accounts, admin.Choice{Value: string(a.ID), Name: a.Name})
	}
	return p, err
}

// readLogFilter reads the filter in the address. An invalid value is a problem rather than ignored: a wrong filter
// would hide lines.
func readLogFilter(c echo.Context) (admin.LogForm, dispatch.AuditFilter, dispatch.Problems) {
	value := func(name string) string { return frame.Short(strings.TrimSpace(c.QueryParam(name))) }
	f := admin.LogForm{From: value(admin.FieldLogFrom), To: value(admin.FieldLogTo), Actor: value(admin.FieldLogActor), Account: value(admin.FieldLogAccount),
		Group: value(admin.FieldLogGroup), Object: value(admin.FieldLogObject)}
	var ps dispatch.Problems
	filter := dispatch.AuditFilter{From: frame.ReadDay(c, admin.FieldLogFrom, &ps), To: frame.ReadDay(c, admin.FieldLogTo, &ps), Group: dispatch.AuditGroup(f.Group)}
	if !filter.To.IsZero() {
		if filter.To.Before(filter.From) {
			ps = append(ps, dispatch.Problem{Field: admin.FieldLogTo, Key: "problem.period.order"})
		}
		filter.To = filter.To.AddDate(0, 0, 1)
	}
	if f.Group != "" && len(filter.Group.Actions()) == 0 {
		ps = append(ps, dispatch.Problem{Field: admin.FieldLogGroup, Key: "problem.audit.choice"})
	}
	id := func(field, typed string) string {
		if typed != "" && !frame.IsID(typed) {
			ps = append(ps, dispatch.Problem{Field: field, Key: "problem.audit.id"})
			return ""
		}
		return strings.ToLower(typed)
	}
	filter.Actor, filter.Account = dispatch.UserID(id(admin.FieldLogActor, f.Actor)), dispatch.AccountID(id(admin.FieldLogAccount, f.Account))
	filter.Object = id(admin.FieldLogObject, f.Object)
	return f, filter, ps
}

func logLine(l store.AuditLine) admin.LogLine {
	return admin.LogLine{At: l.At, Actor: l.ActorName, ActorID: string(l.Actor), Account: dispatch.Account{ID: l.Account, Name: l.AccountName, Slug: l.AccountSlug},
		Action: l.Action, Object: l.Object, Kind: l.Kind, Details: l.Details, Origin: l.Origin}
}

// auditKeyText formats a position in the log for an address.
func auditKeyText(l store.AuditLine) string {
	return strconv.FormatInt(l.At.UnixMicro(), 10) + "-" + strconv.FormatInt(l.ID, 10)
}

// readAuditKey parses a position in the log; invalid text is the beginning.
func readAuditKey(text string) *registry.AuditKey {
	at, id, _ := strings.Cut(text, "-")
	micro, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return nil
	}
	return &registry.AuditKey{At: time.UnixMicro(micro), ID: n}
}

// recordLog records a use of the event log. An auditor of one account leaves the line in that account's log.
func (s *Audit) recordLog(c echo.Context, v frame.Visit, action string, details map[string]any) error {
	return s.Store.Record(frame.Context(c), store.Audit{Actor: v.User.ID, Account: v.User.Audits().Own(), Action: action, Details: details, Origin: frame.Origin(c)})
}

// CSV exports the filtered log as CSV, for people.
func (s *Audit) CSV(c echo.Context, v frame.Visit) error {
	return s.exportLog(c, v, frame.KindCSV, "logg.csv", func() (func(store.AuditLine) error, func() error, error) {
		out, err := table.NewCSV(c.Response())
		if err != nil {
			return nil, nil, err
		}
		var waiting []store.AuditLine
		rows := func() error {
			lines, err := s.namedLines(c, waiting)
			for _, l := range lines {
				if err == nil {
					err = out.Row(admin.LogRow(frame.Context(c), l)...)
				}
			}
			waiting = waiting[:0]
			return err
		}
		write := func(l store.AuditLine) error {
			if waiting = append(waiting, l); len(waiting) < logSize {
				return nil
			}
			return rows()
		}
		end := func() error {
			if err := rows(); err != nil {
				return err
			}
			return out.Close()
		}
		return write, end, out.Row(admin.LogTable(frame.Context(c))...)
	})
}

// auditJSON is a line of the log in the JSON export.
type auditJSON struct {
	ID        int64          `json:"id"`
	At        time.Time      `json:"at"`
	Actor     string         `json:"actor_id,omitempty"`
	ActorName string         `json:"actor_name,omitempty"`
	Account   string         `json:"account_id,omitempty"`
	Slug      string         `json:"account,omitempty"`
	Action    string         `json:"action"`
	Object    string         `json:"object_id,omitempty"`
	Details   map[string]any `json:"details,omitempty"`
	Origin    string         `json:"origin,omitempty"`
}

// JSON exports the filtered log as JSON lines, for a SIEM.
func (s *Audit) JSON(c echo.Context, v frame.Visit) error {
	return s.exportLog(c, v, "application/jsonl; charset=utf-8", "logg.jsonl", func() (func(store.AuditLine) error, func() error, error) {
		out := json.NewEncoder(c.Response())
		write := func(l store.AuditLine) error {
			return out.Encode(auditJSON{l.ID, l.At.UTC(), string(l.Actor), l.ActorName, string(l.Account), l.AccountSlug, l.Action, l.Object, l.Details, l.Origin})
		}
		return write, func() error { return nil }, nil
	})
}

// exportLog streams the filtered log. The export is recorded in the log first.
func (s *Audit) exportLog(c echo.Context, v frame.Visit, kind, name string, begin func() (write func(store.AuditLine) error, end func() error, err error)) error {
	_, filter, ps := readLogFilter(c)
	if len(ps) > 0 {
		return echo.ErrBadRequest
	}
	if c.Request().Method == http.MethodHead {
		frame.Attach(c, kind, name)
		return nil
	}
	if err := s.recordLog(c, v, "log.export", map[string]any{"format": name[strings.Index(name, ".")+1:]}); err != nil {
		return err
	}
	frame.LongDownload(c)
	frame.Attach(c, kind, name)
	write, end, err := begin()
	if err == nil {
		err = s.eachAudit(c, v, filter, write)
	}
	if err == nil {
		err = end()
	}
	if err != nil {
		s.BreakOff(c, err)
	}
	return nil
}

func (s *Audit) eachAudit(c echo.Context, v frame.Visit, f dispatch.AuditFilter, write func(store.AuditLine) error) error {
	for l, err := range registry.In(s.Store).Audit.Each(frame.Context(c), v.User.Audits(), f) {
		if err == nil {
			err = write(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
