package admin

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/frame"
	"utsending/internal/i18n"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

const accountsPath = "/admin/kontoer"

// List lists the accounts for administrators.
func (s *Accounts) List(c echo.Context, v frame.Visit) error {
	lines, err := s.accounts.accountLines(c)
	if err != nil {
		return err
	}
	p := admin.AdminAccountsPage{Page: s.Page(c, v, "admin_accounts.title"), Rows: lines}
	p.Section = views.SectionAccounts
	return frame.Show(c, http.StatusOK, admin.AdminAccounts(p))
}

// New shows the form of a new account.
func (s *Accounts) New(c echo.Context, v frame.Visit) error {
	f := admin.AccountForm{Undo: "60", SourceSystem: "Utsending"}
	return s.showAccountForm(c, v, http.StatusOK, admin.AccountLine{}, f, nil, views.Other{})
}

// Edit shows the settings of an account.
func (s *Accounts) Edit(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	return s.showAccountForm(c, v, http.StatusOK, line, admin.NewAccountForm(line.Account), nil, views.Other{})
}

func (s *Accounts) showAccountForm(c echo.Context, v frame.Visit, status int, line admin.AccountLine, f admin.AccountForm, ps dispatch.Problems, other views.Other) error {
	integrations, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	if err != nil {
		return err
	}
	p := admin.AccountFormPage{Page: s.Page(c, v, "account.new.title"), Row: line, Form: f, Integrations: integrations, Other: other}
	if line.ID != "" {
		p.Title = line.Name
		if p.Quota, err = items.In(s.Store).Budgets.SMSQuota(frame.Context(c), line.ID); err != nil {
			return err
		}
	}
	p.Section, p.Narrow, p.Problems = settingsSection(v), true, ps
	if v.Account.ID != "" {
		p.Title = i18n.T(frame.Context(c), "account.own")
	}
	return frame.Show(c, status, admin.AccountEdit(p))
}

func readAccountForm(c echo.Context) admin.AccountForm {
	return admin.AccountForm{
		Name: c.FormValue(dispatch.FieldName), Slug: c.FormValue(dispatch.FieldSlug), OrganizationNumber: c.FormValue(dispatch.FieldOrganizationNumber),
		SMSIntegration: c.FormValue("sms-integrasjon"), SMSAccountID: c.FormValue(dispatch.FieldSMSAccountID), SenderName: c.FormValue(dispatch.FieldSenderName),
		ShipmentAccountID: c.FormValue(dispatch.FieldShipmentAccountID), SourceSystem: c.FormValue(dispatch.FieldSourceSystem),
		BillingCode: c.FormValue(dispatch.FieldBillingCode), Undo: c.FormValue(dispatch.FieldUndo), SingleSided: c.FormValue("ensidig") == "true",
		Color: c.FormValue("farger") == "true", Version: c.FormValue("versjon"), WatchWords: c.FormValue(dispatch.FieldWatchWords),
		DaytimeFrom: c.FormValue(dispatch.FieldDaytimeFrom), DaytimeTo: c.FormValue(dispatch.FieldDaytimeTo), Workdays: c.FormValue(dispatch.FieldWorkdays) == "true", ReferencePattern: c.FormValue(dispatch.FieldReferencePattern),
		ReferenceUnit: c.FormValue(dispatch.FieldReferenceUnit), ReferenceFill: c.FormValue(dispatch.FieldReferenceFill) == "true", SMSLimit: c.FormValue(dispatch.FieldSMSLimit),
		PriceSMS: c.FormValue(dispatch.FieldPriceSMS), PriceDigital: c.FormValue(dispatch.FieldPriceDigital), PricePrint: c.FormValue(dispatch.FieldPricePrint),
		Unread: c.FormValue(dispatch.FieldUnread), HolidaysCount: c.FormValue(dispatch.FieldHolidaysCount) == "true", PriceSheet: c.FormValue(dispatch.FieldPriceSheet), PriceColor: c.FormValue(dispatch.FieldPriceColor),
		PriceGiro: c.FormValue(dispatch.FieldPriceGiro), CoverSheet: c.FormValue("forsideark") == "true",
		Budget: c.FormValue(dispatch.FieldBudget), BudgetRule: c.FormValue(dispatch.FieldBudgetRule),
		ApprovalRecipients: c.FormValue(dispatch.FieldApprovalRecipients), ApprovalCost: c.FormValue(dispatch.FieldApprovalCost), ApprovalSensitive: c.FormValue(dispatch.FieldApprovalSensitive) == "true",
		ApprovalTemplates: c.FormValue(dispatch.FieldApprovalTemplates) == "true", Health: c.FormValue(dispatch.FieldHealth) == "true",
		Reply: frame.ReadReply(c.FormValue), ReplyNumber: c.FormValue(dispatch.FieldReplyNumber), Archive: dispatch.ArchiveDefaults{
			CasePostType: c.FormValue(dispatch.FieldCase + dispatch.NoarkPostType), CaseStatus: c.FormValue(dispatch.FieldCase + dispatch.NoarkStatus),
			ImportPostType: c.FormValue(dispatch.FieldImport + dispatch.NoarkPostType), ImportStatus: c.FormValue(dispatch.FieldImport + dispatch.NoarkStatus),
		},
	}
}

var accountNameTaken = dispatch.Problems{{Field: dispatch.FieldName, Key: "problem.account.taken"}}

// parseAccount parses the form and checks that the chosen integration exists, and that no other account has a new name.
func (s *Accounts) parseAccount(c echo.Context, f admin.AccountForm, before dispatch.Account) (dispatch.Account, dispatch.Problems, error) {
	a, ps := f.Parse(before)
	taken, err := registry.In(s.Store).Accounts.NameTaken(frame.Context(c), before.ID, a.Name)
	if err != nil {
		return a, ps, err
	}
	if taken {
		ps = append(ps, accountNameTaken...)
	}
	if a.SMSIntegration == "" {
		return a, ps, nil
	}
	all, err := registry.In(s.Store).Integrations.List(frame.Context(c))
	for _, in := range all {
		if in.ID == a.SMSIntegration && in.Kind == dispatch.IntegrationSMS {
			return a, ps, err
		}
	}
	return a, append(ps, dispatch.Problem{Field: "sms-integrasjon", Key: "problem.integration.gone"}), err
}

// Create makes an account.
func (s *Accounts) Create(c echo.Context, v frame.Visit) error {
	f := readAccountForm(c)
	a, ps, err := s.parseAccount(c, f, dispatch.Account{})
	if err != nil {
		return err
	}
	if len(ps) == 0 {
		err = registry.In(s.Store).Accounts.Create(frame.Context(c), a, frame.Actor(c, v.User))
		switch {
		case errors.Is(err, registry.ErrNameTaken):
			ps = accountNameTaken
		case errors.Is(err, store.ErrTaken):
			ps = dispatch.Problems{{Field: dispatch.FieldSlug, Key: "problem.slug.taken"}}
		case err != nil:
			return err
		}
	}
	if len(ps) > 0 {
		return s.showAccountForm(c, v, http.StatusUnprocessableEntity, admin.AccountLine{}, f, ps, views.Other{})
	}
	return s.FlashTo(c, accountsPath+"/"+a.Slug, "flash.account_created", 0)
}

// Save changes an account, with optimistic locking. The account's own administrator cannot change its name and
// its ids at the services.
func (s *Accounts) Save(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	f := readAccountForm(c)
	if v.Account.ID != "" {
		f = f.Within(line.Account)
	}
	a, ps, err := s.parseAccount(c, f, line.Account)
	if err != nil {
		return err
	}
	if len(ps) == 0 && line.ShipmentKind.Row().AccountID && a.ShipmentAccountID == "" {
		ps = dispatch.Problems{{Field: dispatch.FieldShipmentAccountID, Key: "problem.account_id.v2"}}
	}
	var other views.Other
	if len(ps) == 0 {
		err = registry.In(s.Store).Accounts.Update(frame.Context(c), a, frame.Actor(c, v.User), admin.AccountChanges(line.Account, a)...)
		switch {
		case errors.Is(err, registry.ErrNameTaken):
			ps = accountNameTaken
		case errors.Is(err, store.ErrStale):
			ps, f.Version = dispatch.Problems{{Field: dispatch.FieldUndo, Key: "problem.stale"}}, strconv.Itoa(line.Version)
			other = admin.OtherAccount(admin.NewAccountForm(a), admin.NewAccountForm(line.Account), settingsPath(v, line.Slug))
		case err != nil:
			return err
		}
	}
	if len(ps) > 0 {
		return s.showAccountForm(c, v, http.StatusUnprocessableEntity, line, f, ps, other)
	}
	s.Wake()
	return s.FlashTo(c, settingsPath(v, a.Slug), "flash.account_saved", 0)
}

// Enable lets a disabled account send again.
func (s *Accounts) Enable(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	line.Version = frame.ReadVersion(c)
	err = registry.In(s.Store).Accounts.SetDisabled(frame.Context(c), line.Account, false, frame.Actor(c, v.User))
	return s.onAccountChanged(c, err, accountsPath+"/"+line.Slug, "flash.account_enabled")
}

func (s *Accounts) onAccountChanged(c echo.Context, err error, to, done string) error {
	if errors.Is(err, store.ErrStale) {
		err = store.ErrChanged
	}
	return s.system.operated(c, to, done, err)
}

// ChooseSwitch shows the effect of moving an account's shipments to another integration.
func (s *Accounts) ChooseSwitch(c echo.Context, v frame.Visit) error {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return err
	}
	return s.showSwitch(c, v, http.StatusOK, admin.SwitchPage{Row: line}, nil)
}

func (s *Accounts) showSwitch(c echo.Context, v frame.Visit, status int, p admin.SwitchPage, ps dispatch.Problems) error {
	var err error
	if p.Integrations, err = s.integrations.shipmentIntegrations(c); err != nil {
		return err
	}
	counts, err := registry.In(s.Store).Accounts.SwitchEffect(frame.Context(c), p.Row.ID)
	if err != nil {
		return err
	}
	p.Page, p.Pinned, p.Free, p.Pending = s.Page(c, v, p.Row.SwitchTitle()), counts.Pinned, counts.Free, counts.Uncertain
	p.Section, p.Narrow, p.Problems = views.SectionAccounts, true, ps
	return frame.Show(c, status, admin.SwitchShipments(p))
}

// TrySwitch runs the readiness test: it tries the account on the chosen integration before it moves.
func (s *Accounts) TrySwitch(c echo.Context, v frame.Visit) error {
	p, ps, err := s.readSwitch(c, v)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(ps) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return s.showSwitch(c, v, status, p, ps)
}

// readSwitch reads the choice and runs the readiness test.
func (s *Accounts) readSwitch(c echo.Context, v frame.Visit) (admin.SwitchPage, dispatch.Problems, error) {
	line, err := s.accounts.oneAccount(c)
	if err != nil {
		return admin.SwitchPage{}, nil, err
	}
	p := admin.SwitchPage{Row: line}
	if p.To, err = s.generations.chosenIntegration(c); err != nil {
		return p, nil, err
	}
	problem := func(key string) dispatch.Problems { return dispatch.Problems{{Field: "integrasjon", Key: key}} }
	switch {
	case c.FormValue("integrasjon") == "":
		return p, problem("problem.switch.none"), nil
	case p.To.ID == "" && c.FormValue("integrasjon") != admin.NoIntegration:
		return p, problem("problem.integration.gone"), nil
	case p.To.ID == line.ShipmentIntegration:
		return p, problem("problem.switch.same"), nil
	case p.To.ID == "": // no integration: nothing to test
		p.Trial.Steps = []dispatch.Trial{{Step: dispatch.TrialSettings}}
		return p, nil, nil
	}
	var ps dispatch.Problems
	p.Readiness, ps, err = s.generations.readiness(c, v, line.Account, p.To)
	return p, ps, err
}

// SwitchShipments moves an account's shipments, after running the readiness test again.
func (s *Accounts) SwitchShipments(c echo.Context, v frame.Visit) error {
	p, ps, err := s.readSwitch(c, v)
	if err != nil {
		return err
	}
	if len(ps) > 0 || p.Trial.Failed() != "" {
		return s.showSwitch(c, v, http.StatusUnprocessableEntity, p, ps)
	}
	p.Row.Version = frame.ReadVersion(c)
	err = registry.In(s.Store).Accounts.Switch(frame.Context(c), p.Row.Account, p.To.ID, frame.Actor(c, v.User))
	return s.onAccountChanged(c, err, accountsPath+"/"+p.Row.Slug, "flash.account_switched")
}
