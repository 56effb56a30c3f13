package dispatch

// validateReply checks where replies go (Shipment spec, svarSendesTil, svarPaForsendelse and svarPaForsendelseLink).
func (s Shipment) validateReply(ps *Problems) {
	if s.ReplyTo != nil {
		validatePostal(ps, s.ReplyTo.Postal, false, "svar-")
		if n := s.ReplyTo.Digital.OrganizationNumber; n != "" && !s.ReplyLink {
			_, p := ParseOrganizationNumber(FieldReplyNumber, string(n))
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
