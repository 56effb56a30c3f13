package dispatch

// validateReply checks the reply address (Shipment spec, svarSendesTil, svarPaForsendelse and svarPaForsendelseLink).
func (s Shipment) validateReply(ps *Problems) {
	if s.ReplyTo != nil {
		validatePostal(ps, s.ReplyTo.Postal, false, "svar-")
		if d := s.ReplyTo.Digital; d.NationalID != "" {
			_, p := ParseNationalID(FieldReplyNumber, d.NationalID.Reveal())
			ps.add(p)
		} else if d.OrganizationNumber != "" && !s.ReplyLink {
			_, p := ParseOrganizationNumber(FieldReplyNumber, string(d.OrganizationNumber))
			ps.add(p)
		}
	}
	if s.ReplyLink && !s.repliesToOrganization() {
		ps.add(&Problem{Field: FieldReplyLink, Key: "problem.reply_link"})
	}
	if s.InReplyTo != "" && !IsUUID(s.InReplyTo) {
		ps.add(&Problem{Field: FieldInReplyTo, Key: "problem.in_reply_to"})
	}
}

func (s Shipment) repliesToOrganization() bool {
	if s.ReplyTo == nil {
		return false
	}
	_, p := ParseOrganizationNumber(FieldReplyLink, string(s.ReplyTo.Digital.OrganizationNumber))
	return p == nil
}

// ParseReplyNumber parses the digital reply address of a shipment: a person or an organisation.
func ParseReplyNumber(field, typed string) (to DigitalAddress, p *Problem) {
	if len(withoutBlanks(typed)) > 9 { // organisation numbers have nine digits
		to.NationalID, p = ParseNationalID(field, typed)
		return to, p
	}
	to.OrganizationNumber, p = ParseOrganizationNumber(field, typed)
	return to, p
}

// ParseReplyOrganization parses the digital reply address of an account: an organisation, whose check digit fits.
func ParseReplyOrganization(field, typed string) (to DigitalAddress, p *Problem) {
	if p = validOrganization(field, typed); p == nil {
		to.OrganizationNumber, p = ParseOrganizationNumber(field, typed)
	}
	return to, p
}
