package shipmentv3

import (
	"time"

	"utsending/internal/clients/simulator"
)

const pdf = "application/pdf"

// kind is one of the four submissions.
type kind struct {
	operation string
	decode    func(metadata []byte) (simulator.Metadata, error)
	rules     []simulator.Check
	content   []simulator.Check
	anyName   bool
}

func (k kind) intake() simulator.Intake {
	return simulator.Intake{Rules: k.rules, Decode: k.decode, Content: k.content, AnyName: k.anyName}
}

// kinds are the submissions by the last part of their paths.
func kinds() map[string]kind {
	return map[string]kind{
		"person":       {operation: OpSendPerson, decode: decodePerson, rules: personRules()},
		"organisasjon": {operation: OpSendOrganization, decode: decodeOrganization, rules: organizationRules()},
		"print":        {operation: OpSendPrint, decode: decodePrint, rules: sharedRules()},
		"nhn":          {operation: OpSendHealth, decode: decodeHealth, rules: healthRules(), content: healthContent(), anyName: true},
	}
}

func decodePerson(metadata []byte) (simulator.Metadata, error) {
	var in person
	if err := decode(metadata, &in); err != nil {
		return simulator.Metadata{}, err
	}
	l := simulator.Metadata{
		Title: of(in.Title), SourceSystem: of(in.SourceSystem), BillingCode: of(in.BillingCode), ExternalReference: of(in.Reference),
		CorrelationID: of(in.Correlation), To: in.Recipient.address(), ReplyTo: in.ReplyTo.address(), SharedWith: in.SharedWith,
		InReplyTo: in.Answers, DigitalOnly: of(in.DigitalOnly), Encrypted: of(in.Encrypted), Level4: of(in.Level) == "HOYESTE",
		ReplyLink: of(in.ReplyLink), Links: links(in.Links), Own: own{reply: in.ReplyTo, print: in.Print, country: in.Recipient.Address},
	}
	if in.Signing != nil {
		by, _ := time.Parse(time.RFC3339, *in.Signing.By)
		l.SignBy, l.SignatureType = &by, *in.Signing.Type
	}
	for _, d := range in.Documents {
		f := file(doc{d.FileName, d.MimeType, d.Giro})
		f.Sign, f.ExcludeFromPrint = of(d.Sign), of(d.Exclude)
		l.Files = append(l.Files, f)
	}
	return l, nil
}

func decodeOrganization(metadata []byte) (simulator.Metadata, error) {
	var in organization
	if err := decode(metadata, &in); err != nil {
		return simulator.Metadata{}, err
	}
	l := simulator.Metadata{
		Title: of(in.Title), SourceSystem: of(in.SourceSystem), BillingCode: of(in.BillingCode), ExternalReference: of(in.Reference),
		CorrelationID: of(in.Correlation), ShipmentType: of(in.Type), To: in.Recipient.address(), ReplyTo: in.ReplyTo.address(),
		SharedWith: in.SharedWith, InReplyTo: in.Answers, DigitalOnly: of(in.DigitalOnly), Encrypted: of(in.Encrypted),
		Level4: of(in.Level) == "HOYESTE", ReplyLink: of(in.ReplyLink), Links: links(in.Links),
	}
	o := own{reply: in.ReplyTo, print: in.Print, country: in.Recipient.Address}
	if in.Archive != nil {
		o.extra = append(o.extra, in.Archive.Extra)
	}
	for _, d := range in.Documents {
		f := file(doc{d.FileName, d.MimeType, d.Giro})
		f.Kind, f.ExcludeFromPrint, f.Sensitive = d.Type, of(d.Exclude), d.Sensitive
		for _, e := range d.Extra {
			f.Extra = append(f.Extra, simulator.Entry{Key: of(e.Key), Value: of(e.Value)})
		}
		o.extra = append(o.extra, d.Extra)
		l.Files = append(l.Files, f)
	}
	l.Own = o
	return l, nil
}

func decodePrint(metadata []byte) (simulator.Metadata, error) {
	var in onPaper
	if err := decode(metadata, &in); err != nil {
		return simulator.Metadata{}, err
	}
	l := simulator.Metadata{
		Title: of(in.Title), SourceSystem: of(in.SourceSystem), BillingCode: of(in.BillingCode), ExternalReference: of(in.Reference),
		CorrelationID: of(in.Correlation), To: &simulator.Address{Postal: in.Recipient.Address.postal(of(in.Recipient.Name))},
		ReplyTo: in.ReplyTo.address(), InReplyTo: in.Answers, Encrypted: of(in.Encrypted),
		Own: own{reply: in.ReplyTo, print: in.Print, country: in.Recipient.Address},
	}
	for _, d := range in.Documents {
		l.Files = append(l.Files, file(d))
	}
	return l, nil
}

// decodeHealth takes the patient for the recipient. The name of the document is that of its part.
func decodeHealth(metadata []byte) (simulator.Metadata, error) {
	var in health
	if err := decode(metadata, &in); err != nil {
		return simulator.Metadata{}, err
	}
	return simulator.Metadata{
		Title: of(in.Title), SourceSystem: of(in.SourceSystem), BillingCode: of(in.BillingCode), ExternalReference: of(in.Reference),
		CorrelationID: of(in.Correlation), InReplyTo: in.Answers, Encrypted: of(in.Encrypted), SharedWith: in.SharedWith, Health: true,
		To:    &simulator.Address{NationalID: of(in.Patient.ID), Postal: &simulator.Postal{Name: of(in.Patient.Last)}},
		Files: []simulator.File{{MimeType: pdf}}, Own: own{health: &in},
	}, nil
}

func file(d doc) simulator.File {
	f := simulator.File{Name: of(d.FileName), MimeType: of(d.MimeType)}
	if d.Giro != nil {
		f.GiroPages = []int{int(*d.Giro)}
	}
	return f
}

func links(sent []link) []simulator.Link {
	var all []simulator.Link
	for _, l := range sent {
		all = append(all, simulator.Link{URL: of(l.URL), Text: of(l.Text)})
	}
	return all
}
