package views

import (
	"context"
	"slices"
	"strings"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// fieldLabels are the labels of fields that can have the same problem as another field of their form.
var fieldLabels = map[string]string{
	FieldFrom: "list.from", FieldTo: "list.to",
	dispatch.FieldSendDay: "sms.day", dispatch.FieldSignBy: "shipment.sign.by",
	dispatch.FieldTitle: "shipment.title", dispatch.FieldTitleNynorsk: "shipment.title.nynorsk",
	dispatch.FieldSMSAccountID: "account.account_id.sms.label", dispatch.FieldShipmentAccountID: "account.account_id.shipments.label",
	dispatch.FieldRecipientNumber: "shipment.number", dispatch.FieldPatientID: "shipment.health.patient_id", dispatch.FieldAbout: "shipment.health.about",
	dispatch.FieldName: "shipment.name", dispatch.FieldLine1: "shipment.line1", dispatch.FieldPostalCode: "shipment.postal_code",
	dispatch.FieldCity: "shipment.city", dispatch.FieldCountry: "shipment.country",
	dispatch.FieldReference: "shipment.reference", dispatch.FieldSourceSystem: "shipment.source_system", dispatch.FieldSourceActor: "shipment.source_actor",
	dispatch.FieldCorrelation: "shipment.correlation", dispatch.FieldType: "shipment.type", dispatch.FieldBillingCode: "shipment.billing_code",
	dispatch.FieldColor: "shipment.color", dispatch.FieldLinks: "link.heading", dispatch.FieldReplyLink: "shipment.reply.link",
	dispatch.FieldLevel4: "shipment.level4", dispatch.FieldConfidential: "shipment.confidential", dispatch.FieldSharedWith: "shipment.shared",
	dispatch.FieldWindowLeft: "print_rules.window_left", dispatch.FieldWindowTop: "print_rules.window_top",
	dispatch.FieldWindowWidth: "print_rules.window_width", dispatch.FieldWindowHeight: "print_rules.window_height",
	dispatch.FieldSideMargin: "print_rules.side_margin", dispatch.FieldEndMargin: "print_rules.end_margin", dispatch.FieldBarcodeWidth: "print_rules.barcode",
	dispatch.FieldSmaller: "print_rules.smaller", dispatch.FieldMaxPages: "print_rules.pages",
	dispatch.FieldApprovalRecipients: "account.approval.recipients", dispatch.FieldApprovalCost: "account.approval.cost",
	dispatch.FieldSignDocument: "shipment.sign.document", dispatch.FieldCase: "noark.case", dispatch.FieldImport: "noark.import",
}

// leadLabels are the labels of the same fields on *Ledelse*.
var leadLabels = map[string]string{FieldFrom: "lead.from", FieldTo: "lead.to"}

// fieldParts are parts of a form whose fields have a prefix and are named as those of other parts.
var fieldParts = []struct{ prefix, heading, labels string }{
	{dispatch.FieldCase, "noark.case", "noark."},
	{dispatch.FieldImport, "noark.import", "noark."},
	{dispatch.FieldPatient, "shipment.health.patient", ""},
	{dispatch.FieldContact, "shipment.health.contact", ""},
	{"svar-", "shipment.reply", ""},
}

// nameLabels are the parts of a person's name.
var nameLabels = map[string]string{dispatch.NameFirst: "first", dispatch.NameMiddle: "middle", dispatch.NameLast: "last"}

// fieldName names a field of a page's form as its label does, without what stands in brackets; empty if it is not known.
func fieldName(ctx context.Context, section Section, field string) string {
	if key := leadLabels[field]; key != "" && section == SectionLead {
		return i18n.T(ctx, key)
	}
	if key, ok := fieldLabels[field]; ok {
		return bare(i18n.T(ctx, key))
	}
	for _, k := range dispatch.Keepings() {
		if field == string(k) {
			return i18n.T(ctx, "retention."+field)
		}
	}
	for _, part := range fieldParts {
		name, ok := strings.CutPrefix(field, part.prefix)
		if !ok {
			continue
		}
		heading := bare(i18n.T(ctx, part.heading))
		switch {
		case part.labels != "":
			return heading + ", " + bare(i18n.T(ctx, part.labels+name))
		case nameLabels[name] != "":
			return heading + ", " + bare(i18n.T(ctx, part.heading+"."+nameLabels[name]))
		case fieldLabels[name] != "":
			return heading + ", " + bare(i18n.T(ctx, fieldLabels[name]))
		}
		return heading
	}
	return ""
}

// bare is a label without "(optional)" at its end.
func bare(label string) string {
	words, _, _ := strings.Cut(label, " (")
	return words
}

// bareNumbers are problems whose sentences ask for a number, and do not say of what.
var bareNumbers = []string{"problem.number_range", "problem.approval.recipients", "problem.approval.cost", "problem.noark.number"}

// summarySentences are the sentences of problems, in their order. A sentence that several fields have, or that does not say what it is
// about, names the field.
func summarySentences(ctx context.Context, section Section, problems dispatch.Problems) []string {
	said, list := map[string]int{}, make([]string, len(problems))
	for i, p := range problems {
		list[i] = ProblemText(ctx, p)
		said[list[i]]++
	}
	for i, p := range problems {
		if name := fieldName(ctx, section, p.Field); (said[list[i]] > 1 || slices.Contains(bareNumbers, p.Key)) && name != "" {
			list[i] = i18n.T(ctx, "form.problem_of", "Field", name, "Problem", list[i])
		}
	}
	return list
}
