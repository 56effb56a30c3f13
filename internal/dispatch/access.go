package dispatch

import "slices"

// Role is a role of a person on an account, or of an administrator in the whole system.
type Role string

// The ready-made roles (ui-spec, Roles).
const (
	RoleCaseworker   Role = "caseworker"
	RoleTeamLead     Role = "team_lead"
	RoleApprover     Role = "approver"
	RoleAccountAdmin Role = "account_admin"
	RoleSystemAdmin  Role = "system_admin"
	RoleAuditor      Role = "auditor"
)

// Right is a permission that pages and actions ask for.
type Right string

// The rights.
const (
	RightSendSMS       Right = "send_sms"       // compose and send SMS
	RightSendShipments Right = "send_shipments" // make and send shipments
	RightSeeItems      Right = "see_items"      // lists and items as metadata
	RightFollowUp      Right = "follow_up"      // decide about uncertain items, confirm, send again
	RightLookup        Right = "lookup"         // ask the contact register
	RightReveal        Right = "reveal"         // content of one's own items: text, files, masked numbers
	RightOpenOthers    Right = "open_others"    // content of others' items, with a reason that is logged
	RightSeeTemplates  Right = "see_templates"  // templates of SMS texts, with their versions
	RightEditTemplates Right = "edit_templates" // write, change and archive templates
	RightLead          Right = "lead"           // the account's statistics
	RightSettings      Right = "settings"       // the account's own settings, without its integrations; no content
	RightOperate       Right = "operate"        // clear what delivery has stopped or marked; no content
	RightAdminister    Right = "administer"     // accounts, integrations, rights; no content
	RightApprove       Right = "approve"        // approve what colleagues ask for, which one sees whole
	RightHold          Right = "hold"           // put a legal hold on an item
	RightAudit         Right = "audit"          // the event log: of everything, or of an account
)

var rightsOf = map[Role][]Right{
	RoleCaseworker:   {RightSendSMS, RightSendShipments, RightSeeItems, RightFollowUp, RightReveal, RightLookup, RightSeeTemplates},
	RoleTeamLead:     {RightSendSMS, RightSendShipments, RightSeeItems, RightFollowUp, RightReveal, RightLookup, RightSeeTemplates, RightEditTemplates, RightLead, RightOpenOthers, RightApprove, RightHold},
	RoleApprover:     {RightSeeItems, RightApprove},
	RoleAccountAdmin: {RightSeeTemplates, RightEditTemplates, RightSettings},
	RoleSystemAdmin:  {RightOperate, RightAdminister, RightAudit},
	RoleAuditor:      {RightSeeItems, RightOpenOthers, RightHold, RightAudit},
}

// Has tells whether the role includes the right.
func (r Role) Has(right Right) bool { return slices.Contains(rightsOf[r], right) }

// Roles returns all roles, in the order in which they are offered.
func Roles() []Role {
	return []Role{RoleCaseworker, RoleTeamLead, RoleApprover, RoleAccountAdmin, RoleAuditor, RoleSystemAdmin}
}

// Clash is a doubtful combination of roles that one value of the rights claim gives.
type Clash string

// The clashes.
const (
	ClashNone    Clash = ""
	ClashContent Clash = "content" // an administrator who sees content
	ClashAuditor Clash = "auditor" // an auditor of what they send themselves
	ClashSeveral Clash = "several" // several roles on one account: all of them hold
)

// Clash tells what is doubtful about a grant's role, given the other grants of the same claim value.
func (g Grant) Clash(others []Grant) Clash {
	worst := ClashNone
	for _, o := range others {
		switch {
		case g.Role == RoleSystemAdmin && o.Role.Has(RightSeeItems), o.Role == RoleSystemAdmin && g.Role.Has(RightSeeItems):
			return ClashContent
		case o.Account.ID != g.Account.ID || o.Role == g.Role:
		case g.Role == RoleAuditor && o.Role.Has(RightReveal), o.Role == RoleAuditor && g.Role.Has(RightReveal):
			worst = ClashAuditor
		case worst == ClashNone:
			worst = ClashSeveral
		}
	}
	return worst
}

// Everywhere tells whether the role can be held in the whole system, and not only on an account.
func (r Role) Everywhere() bool { return r == RoleSystemAdmin || r == RoleAuditor }

// Known tells whether the role is one of ours.
func (r Role) Known() bool { _, ok := rightsOf[r]; return ok }

// Grant gives a person a role on an account.
type Grant struct {
	Account Account
	Role    Role
}

// User is a person who has logged in, with the roles that hold now.
type User struct {
	ID     UserID
	Name   string
	Grants []Grant // by account name
	System []Role  // roles that hold everywhere
}

// May tells whether the user has a right on an account.
func (u User) May(right Right, id AccountID) bool {
	for i := range u.Grants { // by index: a page asks dozens of times, and an Account is large to copy
		if g := &u.Grants[i]; g.Account.ID == id && g.Role.Has(right) {
			return true
		}
	}
	return false
}

// Reach is a user's access to an item's content: its text, its files, the recipient's numbers.
type Reach string

// The reaches.
const (
	ReachNone   Reach = ""       // metadata only
	ReachReason Reach = "reason" // with a reason that is logged
	ReachOpen   Reach = "open"   // their own item
)

// Reach tells how much of an item's content the user may open. The owner may: the creator, for items of a job the
// job's creator, and for a draft that was handed over the colleague who got it.
func (u User) Reach(it Item) Reach {
	switch {
	case it.CreatedBy == u.ID && u.May(RightReveal, it.AccountID):
		return ReachOpen
	case u.May(RightOpenOthers, it.AccountID):
		return ReachReason
	}
	return ReachNone
}

// MaySystem tells whether the user has a right in the whole system.
func (u User) MaySystem(right Right) bool {
	return slices.ContainsFunc(u.System, func(r Role) bool { return r.Has(right) })
}

// AccountsWith returns the accounts that the user has a right on.
func (u User) AccountsWith(right Right) []AccountID {
	var ids []AccountID
	for i := range u.Grants {
		if g := &u.Grants[i]; g.Role.Has(right) && !slices.Contains(ids, g.Account.ID) {
			ids = append(ids, g.Account.ID)
		}
	}
	return ids
}

// Account finds an account that the user belongs to by its short name.
func (u User) Account(slug string) (Account, bool) {
	for i := range u.Grants {
		if a := &u.Grants[i].Account; a.Slug == slug {
			return *a, true
		}
	}
	return Account{}, false
}

// HearsAlarms tells whether e-mails about what stops or fails can come to the user.
func (u User) HearsAlarms() bool {
	return u.MaySystem(RightOperate) || len(u.AccountsWith(RightLead)) > 0
}

// HearsDigest tells whether the user can get the e-mail that lists what needs follow-up.
func (u User) HearsDigest() bool { return len(u.AccountsWith(RightFollowUp)) > 0 }

// Idle tells whether no role gives the user anything to do or see.
func (u User) Idle() bool { return len(u.Grants) == 0 && len(u.System) == 0 }

// RolesOn returns the user's roles on an account.
func (u User) RolesOn(id AccountID) []Role {
	var roles []Role
	for i := range u.Grants {
		if g := &u.Grants[i]; g.Account.ID == id && !slices.Contains(roles, g.Role) {
			roles = append(roles, g.Role)
		}
	}
	return roles
}

// Accounts returns each account that the user belongs to once, in the order of the grants.
func (u User) Accounts() []Account {
	accounts := make([]Account, 0, len(u.Grants))
	seen := make(map[AccountID]bool, len(u.Grants))
	for i := range u.Grants {
		if a := &u.Grants[i].Account; !seen[a.ID] {
			seen[a.ID] = true
			accounts = append(accounts, *a)
		}
	}
	return accounts
}
