package dispatch

import "slices"

// Role is what a person is on an account, or, for administrators, in the whole system.
type Role string

// The ready-made roles (ui-spec, Roles).
const (
	RoleCaseworker   Role = "caseworker"
	RoleTeamLead     Role = "team_lead"
	RoleAccountAdmin Role = "account_admin"
	RoleSystemAdmin  Role = "system_admin"
	RoleAuditor      Role = "auditor"
)

// Right is one thing that a person may do.
type Right string

// The rights that pages ask for.
const (
	RightSendSMS       Right = "send_sms"       // compose and send SMS
	RightSendShipments Right = "send_shipments" // make and send shipments
	RightSeeItems      Right = "see_items"      // lists and items as metadata
	RightFollowUp      Right = "follow_up"      // decide about uncertain items, confirm, send again
	RightLookup        Right = "lookup"         // ask the contact register
	RightReveal        Right = "reveal"         // open what one sent oneself: text, files, masked numbers
	RightOpenOthers    Right = "open_others"    // open what others sent, with a reason that is logged
	RightSeeTemplates  Right = "see_templates"  // templates of SMS texts, with their versions
	RightEditTemplates Right = "edit_templates" // write, change and archive templates
	RightLead          Right = "lead"           // see what the account has sent, in numbers
	RightSettings      Right = "settings"       // the account's own settings, without its integrations; no content
	RightOperate       Right = "operate"        // clear what delivery has marked; no content
	RightAdminister    Right = "administer"     // accounts, integrations, rights; no content
	RightHold          Right = "hold"           // keep an item although its time is up
	RightAudit         Right = "audit"          // the event log: of everything, or of an account
)

var rightsOf = map[Role][]Right{
	RoleCaseworker:   {RightSendSMS, RightSendShipments, RightSeeItems, RightFollowUp, RightReveal, RightLookup, RightSeeTemplates},
	RoleTeamLead:     {RightSendSMS, RightSendShipments, RightSeeItems, RightFollowUp, RightReveal, RightLookup, RightSeeTemplates, RightEditTemplates, RightLead, RightOpenOthers, RightHold},
	RoleAccountAdmin: {RightSeeTemplates, RightEditTemplates, RightSettings},
	RoleSystemAdmin:  {RightOperate, RightAdminister, RightAudit},
	RoleAuditor:      {RightSeeItems, RightOpenOthers, RightHold, RightAudit},
}

// Has tells whether the role includes the right.
func (r Role) Has(right Right) bool { return slices.Contains(rightsOf[r], right) }

// Roles returns all roles, in the order in which they are offered.
func Roles() []Role {
	return []Role{RoleCaseworker, RoleTeamLead, RoleAccountAdmin, RoleAuditor, RoleSystemAdmin}
}

// Clash is what is doubtful about a role beside the others that the same value of the login gives.
type Clash string

// The clashes.
const (
	ClashNone    Clash = ""
	ClashContent Clash = "content" // an administrator who sees content
	ClashAuditor Clash = "auditor" // an auditor of what they send themselves
	ClashSeveral Clash = "several" // several roles on one account: all of them hold
)

// Clash tells what is doubtful about the role of a grant beside others of the same value.
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

// User is a person who has logged in, with what they may do now.
type User struct {
	ID     UserID
	Name   string
	Grants []Grant // by account name
	System []Role  // roles that hold everywhere
}

// May tells whether the user has a right on an account.
func (u User) May(right Right, id AccountID) bool {
	for i := range u.Grants { // by their place: a page asks dozens of times, and accounts are large
		if g := &u.Grants[i]; g.Account.ID == id && g.Role.Has(right) {
			return true
		}
	}
	return false
}

// Reach is how far somebody gets into what an item holds: its text, its files, the numbers of its recipient.
type Reach string

// The reaches.
const (
	ReachNone   Reach = ""       // what stands about it, not what it holds
	ReachReason Reach = "reason" // with a reason that is logged
	ReachOpen   Reach = "open"   // it is their own
)

// Reach tells how far the user gets into what an item holds. Whoever makes it owns it: of a job whoever made the job, of
// a draft that was handed over the colleague.
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
