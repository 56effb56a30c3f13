package dispatch

import (
	"slices"
	"time"
)

// AuditGroup is a category of acts by which the event log is filtered.
type AuditGroup string

// The groups of acts.
const (
	AuditSignIn    AuditGroup = "sign_in"
	AuditSending   AuditGroup = "sending"   // sent, or kept from being sent
	AuditFollowing AuditGroup = "following" // acts on what was sent
	AuditContent   AuditGroup = "content"   // content and numbers that were shown
	AuditSearch    AuditGroup = "search"    // searches, look-ups in the contact register, reports on a person
	AuditExport    AuditGroup = "export"
	AuditTemplate  AuditGroup = "template"
	AuditSetup     AuditGroup = "setup" // accounts, integrations, delivery
	AuditAccess    AuditGroup = "access"
	AuditKeeping   AuditGroup = "keeping" // the log itself, retention
)

// AuditGroups returns all groups, in the order in which they are offered.
func AuditGroups() []AuditGroup {
	return []AuditGroup{AuditSignIn, AuditSending, AuditFollowing, AuditContent, AuditSearch, AuditExport, AuditTemplate, AuditSetup, AuditAccess, AuditKeeping}
}

// AuditAction is an act in the event log, with its group.
type AuditAction struct {
	Action string
	Group  AuditGroup
}

// SettingChange is a setting that somebody changed, as the event log tells it. Without values, only that it was changed is told.
type SettingChange struct {
	What   string `json:"what"` // the catalogue key of its name
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// ChangedSetting returns the change of a setting, without national identity numbers that somebody typed into it; nil when it is the same.
func ChangedSetting(what, before, after string) []SettingChange {
	if before == after {
		return nil
	}
	return []SettingChange{{what, MaskNationalIDs(before), MaskNationalIDs(after)}}
}

// AuditActions returns every act that is written to the event log.
func AuditActions() []AuditAction { return slices.Clone(auditActions) }

var auditActions = []AuditAction{
	{Action: "session.login", Group: AuditSignIn},
	{Action: "session.logout", Group: AuditSignIn},
	{Action: "session.end_others", Group: AuditSignIn},
	{Action: "sms.send", Group: AuditSending},
	{Action: "shipment.send", Group: AuditSending},
	{Action: "job.send", Group: AuditSending},
	{Action: "job.pause", Group: AuditSending},
	{Action: "job.resume", Group: AuditSending},
	{Action: "job.reschedule", Group: AuditSending},
	{Action: "job.stop", Group: AuditSending},
	{Action: "job.discard", Group: AuditSending},
	{Action: "job.parts_seen", Group: AuditSending},
	{Action: "job.letters", Group: AuditSending},
	{Action: "job.about", Group: AuditSending},
	{Action: "approval.asked", Group: AuditSending},
	{Action: "approval.approved", Group: AuditSending},
	{Action: "approval.returned", Group: AuditSending},
	{Action: "approval.withdrawn", Group: AuditSending},
	{Action: "item.cancelled", Group: AuditSending},
	{Action: "item.stop_asked", Group: AuditSending},
	{Action: "item.rescheduled", Group: AuditSending},
	{Action: "item.confirmed", Group: AuditSending},
	{Action: "item.requeued", Group: AuditSending},
	{Action: "item.discard", Group: AuditSending},
	{Action: "document.clean", Group: AuditSending},
	{Action: "document.restore", Group: AuditSending},
	{Action: "item.handed_over", Group: AuditSending},
	{Action: "item.taken_back", Group: AuditSending},
	{Action: "job.handed_over", Group: AuditSending},
	{Action: "item.resolved", Group: AuditFollowing},
	{Action: "item.followed_up", Group: AuditFollowing},
	{Action: "item.assigned", Group: AuditFollowing},
	{Action: "item.look_again", Group: AuditFollowing},
	{Action: "item.marked_read", Group: AuditFollowing},
	{Action: "item.deleted_documents", Group: AuditFollowing},
	{Action: "list.bulk", Group: AuditFollowing},
	{Action: "absence.set", Group: AuditFollowing},
	{Action: "absence.ended", Group: AuditFollowing},
	{Action: "job.resolve", Group: AuditFollowing},
	{Action: "shipment.mark_read", Group: AuditFollowing},
	{Action: "shipment.delete_documents", Group: AuditFollowing},
	{Action: "approval.read", Group: AuditContent},
	{Action: "item.copied", Group: AuditContent},
	{Action: "job.copied", Group: AuditContent},
	{Action: "item.read", Group: AuditContent},
	{Action: "item.opened", Group: AuditContent},
	{Action: "item.revealed", Group: AuditContent},
	{Action: "item.proof", Group: AuditContent},
	{Action: "item.packed", Group: AuditContent},
	{Action: "item.archived", Group: AuditFollowing},
	{Action: "item.unarchived", Group: AuditFollowing},
	{Action: "document.read", Group: AuditContent},
	{Action: "protection.opened", Group: AuditContent},
	{Action: "protection.set", Group: AuditAccess},
	{Action: "protection.named", Group: AuditAccess},
	{Action: "protection.ended", Group: AuditAccess},
	{Action: "lookup", Group: AuditSearch},
	{Action: "list.search", Group: AuditSearch},
	{Action: "list.person", Group: AuditSearch},
	{Action: "shipment.search_reference", Group: AuditSearch},
	{Action: "shipment.show_strangers", Group: AuditSearch},
	{Action: "citizen.report", Group: AuditSearch},
	{Action: "recipient.today", Group: AuditSearch},
	{Action: "job.export", Group: AuditExport},
	{Action: "job.export_faults", Group: AuditExport},
	{Action: "statistics.export", Group: AuditExport},
	{Action: "log.export", Group: AuditExport},
	{Action: "list.export", Group: AuditExport},
	{Action: "list.export_fetch", Group: AuditExport},
	{Action: "template.create", Group: AuditTemplate},
	{Action: "template.update", Group: AuditTemplate},
	{Action: "template.archive", Group: AuditTemplate},
	{Action: "template.unarchive", Group: AuditTemplate},
	{Action: "template.asked", Group: AuditTemplate},
	{Action: "template.approved", Group: AuditTemplate},
	{Action: "template.returned", Group: AuditTemplate},
	{Action: "template.withdrawn", Group: AuditTemplate},
	{Action: "template.needs_approval", Group: AuditTemplate},
	{Action: "template.needs_no_approval", Group: AuditTemplate},
	{Action: "account_setup.create", Group: AuditSetup},
	{Action: "account_setup.update", Group: AuditSetup},
	{Action: "account_setup.switch_shipments", Group: AuditSetup},
	{Action: "account_setup.enable", Group: AuditSetup},
	{Action: "account_setup.disable", Group: AuditSetup},
	{Action: "account_setup.print_rules", Group: AuditSetup},
	{Action: "account_setup.failing", Group: AuditSetup},
	{Action: "account_setup.chat", Group: AuditSetup},
	{Action: "account_setup.chat_removed", Group: AuditSetup},
	{Action: "account_setup.chat_tried", Group: AuditSetup},
	{Action: "integration.create", Group: AuditSetup},
	{Action: "integration.update", Group: AuditSetup},
	{Action: "integration.delete", Group: AuditSetup},
	{Action: "integration.try", Group: AuditSetup},
	{Action: "integration.tried", Group: AuditSetup},
	{Action: "integration.stop", Group: AuditSetup},
	{Action: "integration.open", Group: AuditSetup},
	{Action: "integration.clear_refusal", Group: AuditSetup},
	{Action: "integration.certificate.save", Group: AuditSetup},
	{Action: "integration.certificate.remove", Group: AuditSetup},
	{Action: "integration.credentials.add", Group: AuditSetup},
	{Action: "integration.credentials.activate", Group: AuditSetup},
	{Action: "integration.credentials.refused", Group: AuditSetup},
	{Action: "integration.credentials.wipe", Group: AuditSetup},
	{Action: "theme.save", Group: AuditSetup},
	{Action: "delivery.pause", Group: AuditSetup},
	{Action: "delivery.resume", Group: AuditSetup},
	{Action: "delivery.restored", Group: AuditSetup},
	{Action: "delivery.promoted", Group: AuditSetup},
	{Action: "files.adopted", Group: AuditSetup},
	{Action: "account.compared", Group: AuditSetup},
	{Action: "notices.chosen", Group: AuditSetup},
	{Action: "notices.tried", Group: AuditSetup},
	{Action: "act_request.asked", Group: AuditSetup},
	{Action: "act_request.approved", Group: AuditSetup},
	{Action: "act_request.refused", Group: AuditSetup},
	{Action: "act_request.withdrawn", Group: AuditSetup},
	{Action: "act_request.replaced", Group: AuditSetup},
	{Action: "act_request.expired", Group: AuditSetup},
	{Action: "role_mapping.add", Group: AuditAccess},
	{Action: "role_mapping.remove", Group: AuditAccess},
	{Action: "access.reviewed", Group: AuditAccess},
	{Action: "log.read", Group: AuditKeeping},
	{Action: "log.verify", Group: AuditKeeping},
	{Action: "retention.save", Group: AuditKeeping},
	{Action: "retention.purge", Group: AuditKeeping},
	{Action: "item.hold", Group: AuditKeeping},
	{Action: "item.release", Group: AuditKeeping},
}

// Actions returns the acts of a group.
func (g AuditGroup) Actions() []string {
	var codes []string
	for _, a := range auditActions {
		if a.Group == g {
			codes = append(codes, a.Action)
		}
	}
	return codes
}

// AuditFilter selects lines of the event log; zero values mean everything.
type AuditFilter struct {
	From, To time.Time // To is exclusive
	Actor    UserID
	Account  AccountID
	Group    AuditGroup
	Object   string
}

// AuditScope tells whose acts a user may see in the event log; the zero scope is empty.
type AuditScope struct {
	All      bool
	Accounts []AccountID
}

// Audits returns the user's scope in the event log.
func (u User) Audits() AuditScope {
	if u.MaySystem(RightAudit) {
		return AuditScope{All: true}
	}
	return AuditScope{Accounts: u.AccountsWith(RightAudit)}
}

// Any tells whether the scope is not empty.
func (s AuditScope) Any() bool { return s.All || len(s.Accounts) > 0 }

// Own is the account in whose log the user's own uses of the log are written; empty: they belong to no account, and only who sees the
// whole log sees them.
func (s AuditScope) Own() AccountID {
	if s.All || len(s.Accounts) != 1 {
		return ""
	}
	return s.Accounts[0]
}

// SeesOwn tells whether the user sees their own uses of the log in it.
func (s AuditScope) SeesOwn() bool { return s.All || s.Own() != "" }
