package dispatch

import "slices"

// Check is one check of a PDF.
type Check string

// The checks, in the order in which their findings are shown.
const (
	CheckSignReply Check = "sign_reply" // a document is to be signed, and no organisation is given to return it to
	CheckNumber    Check = "number"     // a national identity number shows in the window
	CheckInside    Check = "inside"     // a national identity number on the first page, behind the service's cover sheet
	CheckRecipient Check = "recipient"  // the first page is addressed to somebody else
	CheckBlank     Check = "blank"      // the window is not blank
	CheckWindow    Check = "window"     // the window cannot be read
	CheckSize      Check = "size"       // a page is not A4
	CheckLandscape Check = "landscape"  // a page is in landscape format
	CheckXFA       Check = "xfa"        // active content, by kind
	CheckLaunch    Check = "launch"
	CheckScript    Check = "script"
	CheckFile      Check = "file"
	CheckForm      Check = "form"
	CheckMedia     Check = "media"
	CheckPortfolio Check = "portfolio"
	CheckSigned    Check = "signed"
	CheckComment   Check = "comment"
	CheckAuthor    Check = "author"
	CheckFonts     Check = "fonts"      // a font is not embedded
	CheckMargin    Check = "margin"     // ink outside the margins
	CheckBarcode   Check = "barcode"    // ink in the printers' barcode zone
	CheckEncrypted Check = "restricted" // opens without a password, but is encrypted
	CheckVersion   Check = "version"    // a PDF version newer than printers accept
	CheckIrregular Check = "irregular"  // violates the PDF format
	CheckPages     Check = "pages"      // more pages than the account's limit
	CheckRead      Check = "read"       // not checked: uploaded before the check existed, or too large a task
	CheckScanned   Check = "scanned"    // scanned pages, without text
	CheckTags      Check = "tags"       // not tagged for screen readers
	CheckLanguage  Check = "language"   // no language is set
)

// Severity is the weight of a finding.
type Severity string

// The severities. An account may turn a rule off with SeverityOff; SeverityUnchecked is the result of a check that
// could not be made.
const (
	SeverityStop      Severity = "stop"
	SeverityWarning   Severity = "warning"
	SeverityTip       Severity = "tip"
	SeverityOff       Severity = "off"
	SeverityUnchecked Severity = "unchecked"
)

// Severities returns those that an account can choose.
func Severities() []Severity {
	return []Severity{SeverityStop, SeverityWarning, SeverityTip, SeverityOff}
}

// severities are the defaults. A check that is not here cannot be configured. Assumption: the specification says only
// that printed files are PDFs of less than 350 MB without a password. What printers refuse stops; what they may print
// wrongly is warned about.
var severities = map[Check]Severity{
	// Assumption: the service refuses a signing without an organisation for replies, or the signed document is lost
	// (upstream facts, Signing). The description of V3 does not settle it, so accounts may choose.
	CheckSignReply: SeverityStop,
	CheckNumber:    SeverityStop, CheckInside: SeverityTip,
	CheckRecipient: SeverityWarning, CheckBlank: SeverityOff, CheckSize: SeverityStop, CheckLandscape: SeverityWarning,
	CheckXFA: SeverityStop, CheckLaunch: SeverityStop, CheckScript: SeverityWarning, CheckFile: SeverityWarning,
	CheckForm: SeverityWarning, CheckMedia: SeverityWarning, CheckPortfolio: SeverityStop, CheckSigned: SeverityWarning,
	CheckComment: SeverityWarning, CheckAuthor: SeverityTip, CheckFonts: SeverityWarning, CheckMargin: SeverityWarning,
	CheckBarcode: SeverityWarning, CheckEncrypted: SeverityWarning, CheckVersion: SeverityWarning, CheckIrregular: SeverityWarning,
	CheckPages: SeverityWarning, CheckScanned: SeverityTip, CheckTags: SeverityTip, CheckLanguage: SeverityTip,
}

// ChosenChecks returns the checks whose severity an account can choose, in order.
func ChosenChecks() []Check {
	return []Check{
		CheckSignReply, CheckNumber, CheckInside, CheckRecipient, CheckBlank, CheckSize, CheckLandscape, CheckXFA, CheckLaunch, CheckScript, CheckFile, CheckForm, CheckMedia,
		CheckPortfolio, CheckSigned, CheckComment, CheckAuthor, CheckFonts, CheckMargin, CheckBarcode, CheckEncrypted, CheckVersion, CheckIrregular, CheckPages, CheckScanned, CheckTags, CheckLanguage,
	}
}

// PrintRules are an account's rules for PDFs. Lengths are in millimetres. The zero value is not usable: see
// DefaultPrintRules.
type PrintRules struct {
	// CoverSheet tells that the service prints a cover sheet with the addresses, so that nothing of our files shows
	// in the window. Assumption: it always does; no account or setting without it is publicly known (upstream facts,
	// Paper).
	CoverSheet                                       bool
	WindowLeft, WindowTop, WindowWidth, WindowHeight int
	SideMargin, EndMargin                            int // left and right; top and bottom
	BarcodeWidth                                     int
	Smaller                                          int // how much smaller than A4 a page may be
	MaxPages                                         int // of one file; 0: no limit
	Chosen                                           map[Check]Severity
}

// DefaultPrintRules are the rules of an account that has chosen nothing.
// Assumption: the window is the upper left 125 × 89 mm, and the margins are 1 cm at the long sides and 3 mm at the others
// (product and upstream facts: what printers and validators ask for); a page may be 10 mm smaller than A4.
func DefaultPrintRules() PrintRules {
	return PrintRules{CoverSheet: true, WindowWidth: 125, WindowHeight: 89, SideMargin: 10, EndMargin: 3, BarcodeWidth: 15, Smaller: 10}
}

// Rules returns the account's print rules.
func (a Account) Rules() PrintRules {
	if a.PrintRules != nil {
		return *a.PrintRules
	}
	return DefaultPrintRules()
}

// SigningNeedsReply tells whether a signing is refused without an organisation to which the document returns: by the account's
// generation (validateRow) or by its own rules.
func (a Account) SigningNeedsReply() bool {
	return a.Generation().Row().SignReply || a.Rules().Of(CheckSignReply) == SeverityStop
}

// ValidateSigning refuses a signing without such an organisation. Draft fields may ask for one before its document is chosen.
func (a Account) ValidateSigning(s Shipment, asked bool) Problems {
	if (asked || s.Signing()) && a.SigningNeedsReply() && !s.repliesToOrganization() {
		return Problems{{Field: FieldReplyNumber, Key: ProblemSignReply}}
	}
	return nil
}

// SeveritiesOf returns the severities that an account can choose for a rule.
func SeveritiesOf(c Check) []Severity {
	if c == CheckSignReply {
		return []Severity{SeverityStop, SeverityWarning} // a signed document must not get lost silently
	}
	return Severities()
}

// Of returns the severity of a rule on the account.
func (r PrintRules) Of(c Check) Severity {
	if s, ok := r.Chosen[c]; ok && slices.Contains(SeveritiesOf(c), s) {
		if _, can := severities[c]; can {
			return s
		}
	}
	if s, ok := severities[c]; ok {
		return s
	}
	return SeverityStop
}

// Fields of an account's print rules.
const (
	FieldCoverSheet   = "adresseark"
	FieldWindowLeft   = "vindu-venstre"
	FieldWindowTop    = "vindu-topp"
	FieldWindowWidth  = "vindu-bredde"
	FieldWindowHeight = "vindu-hoyde"
	FieldSideMargin   = "marg-side"
	FieldEndMargin    = "marg-topp"
	FieldBarcodeWidth = "strekkode"
	FieldSmaller      = "mindre"
	FieldMaxPages     = "sider"
	FieldSeverity     = "alvor-"
)

// Validate returns the problems that keep the rules from being saved.
func (r PrintRules) Validate() Problems {
	var ps Problems
	for _, f := range []struct {
		field       string
		value, most int
	}{
		{FieldWindowLeft, r.WindowLeft, 210}, {FieldWindowTop, r.WindowTop, 148},
		{FieldWindowWidth, r.WindowWidth, 210}, {FieldWindowHeight, r.WindowHeight, 148},
		{FieldSideMargin, r.SideMargin, 50}, {FieldEndMargin, r.EndMargin, 50}, {FieldBarcodeWidth, r.BarcodeWidth, 50},
		{FieldSmaller, r.Smaller, 50}, {FieldMaxPages, r.MaxPages, 10_000},
	} {
		if f.value < 0 || f.value > f.most {
			ps.add(&Problem{Field: f.field, Key: "problem.number_range", Args: Args{"N": f.most}})
		}
	}
	for _, c := range ChosenChecks() {
		if s, ok := r.Chosen[c]; ok && !slices.Contains(SeveritiesOf(c), s) {
			ps.add(&Problem{Field: FieldSeverity + string(c), Key: "problem.severity"})
		}
	}
	return ps
}
