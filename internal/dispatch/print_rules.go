package dispatch

import "slices"

// Check names one of the rules that a PDF is held against.
type Check string

// The checks, in the order in which their findings are shown.
const (
	CheckSignReply Check = "sign_reply" // is to be signed, and no organisation is named to which it returns
	CheckNumber    Check = "number"     // a national identity number shows in the window
	CheckInside    Check = "inside"     // a national identity number on the first page, behind the service's cover sheet
	CheckRecipient Check = "recipient"  // the first page is written to somebody else than the recipient
	CheckBlank     Check = "blank"      // the window is not blank
	CheckWindow    Check = "window"     // the window cannot be read
	CheckSize      Check = "size"       // a page is not A4
	CheckLandscape Check = "landscape"  // a page lies on its side
	CheckXFA       Check = "xfa"        // active content, by kind
	CheckLaunch    Check = "launch"
	CheckScript    Check = "script"
	CheckFile      Check = "file"
	CheckForm      Check = "form"
	CheckMedia     Check = "media"
	CheckPortfolio Check = "portfolio"
	CheckSigned    Check = "signed"
	CheckFonts     Check = "fonts"      // a font is not embedded
	CheckMargin    Check = "margin"     // ink outside the margins
	CheckBarcode   Check = "barcode"    // ink where printers put their barcode
	CheckEncrypted Check = "restricted" // opens without a password, but is encrypted
	CheckVersion   Check = "version"    // newer than printers take
	CheckIrregular Check = "irregular"  // breaks rules of the format
	CheckPages     Check = "pages"      // more pages than the account wants
	CheckRead      Check = "read"       // the file was taken in before there was this check, or was too much of a task
	CheckScanned   Check = "scanned"    // pictures of text
	CheckTags      Check = "tags"       // nothing for screen readers to go by
	CheckLanguage  Check = "language"   // does not say its language
)

// Severity is how much a finding weighs.
type Severity string

// The severities. An account may choose SeverityOff for a rule; SeverityUnchecked is what a rule says that nobody could
// hold against the file.
const (
	SeverityStop      Severity = "stop"
	SeverityWarning   Severity = "warning"
	SeverityTip       Severity = "tip"
	SeverityOff       Severity = "off"
	SeverityUnchecked Severity = "unchecked"
)

// Severities are those that an account can choose from.
func Severities() []Severity {
	return []Severity{SeverityStop, SeverityWarning, SeverityTip, SeverityOff}
}

// severities is how much each rule weighs unless the account says otherwise. What is not here cannot be chosen.
// Assumption: the specification says only that printed files are PDFs of less than 350 MB without a password. What
// printers refuse stops; what they may print wrongly is warned about.
var severities = map[Check]Severity{
	// Assumption: the service refuses a signing without an organisation for replies, or the signed document is lost (upstream
	// facts, Signing). What its description of V3 does not say stays to be chosen.
	CheckSignReply: SeverityStop,
	CheckNumber:    SeverityStop, CheckInside: SeverityTip,
	CheckRecipient: SeverityWarning, CheckBlank: SeverityOff, CheckSize: SeverityStop, CheckLandscape: SeverityWarning,
	CheckXFA: SeverityStop, CheckLaunch: SeverityStop, CheckScript: SeverityWarning, CheckFile: SeverityWarning,
	CheckForm: SeverityWarning, CheckMedia: SeverityWarning, CheckPortfolio: SeverityStop, CheckSigned: SeverityWarning, CheckFonts: SeverityWarning, CheckMargin: SeverityWarning,
	CheckBarcode: SeverityWarning, CheckEncrypted: SeverityWarning, CheckVersion: SeverityWarning, CheckIrregular: SeverityWarning,
	CheckPages: SeverityWarning, CheckScanned: SeverityTip, CheckTags: SeverityTip, CheckLanguage: SeverityTip,
}

// ChosenChecks are the checks whose severity an account can choose, in order.
func ChosenChecks() []Check {
	return []Check{
		CheckSignReply, CheckNumber, CheckInside, CheckRecipient, CheckBlank, CheckSize, CheckLandscape, CheckXFA, CheckLaunch, CheckScript, CheckFile, CheckForm, CheckMedia,
		CheckPortfolio, CheckSigned, CheckFonts, CheckMargin, CheckBarcode, CheckEncrypted, CheckVersion, CheckIrregular, CheckPages, CheckScanned, CheckTags, CheckLanguage,
	}
}

// PrintRules are what an account's PDFs are held against. Lengths are in millimetres. The zero value is not usable:
// DefaultPrintRules is.
type PrintRules struct {
	// CoverSheet tells that the service puts a sheet with the addresses in front on paper, so that nothing of our files is in
	// the window. Assumption: it always does; no account or switch without it is publicly known (upstream facts, Paper).
	CoverSheet                                       bool
	WindowLeft, WindowTop, WindowWidth, WindowHeight int
	SideMargin, EndMargin                            int // at the long sides, and at the top and bottom
	BarcodeWidth                                     int
	Smaller                                          int // how much a page may be smaller than A4
	MaxPages                                         int // of one file; 0: any number
	Chosen                                           map[Check]Severity
}

// DefaultPrintRules are the rules of an account that has chosen nothing.
// Assumption: the window is the upper left 125 × 89 mm, and the margins are 1 cm at the long sides and 3 mm at the others
// (product and upstream facts: what printers and validators ask for); a page may be 10 mm smaller than A4.
func DefaultPrintRules() PrintRules {
	return PrintRules{CoverSheet: true, WindowWidth: 125, WindowHeight: 89, SideMargin: 10, EndMargin: 3, BarcodeWidth: 15, Smaller: 10}
}

// Rules are what the account's PDFs are held against.
func (a Account) Rules() PrintRules {
	if a.PrintRules != nil {
		return *a.PrintRules
	}
	return DefaultPrintRules()
}

// SeveritiesOf are those that an account can choose from for a rule.
func SeveritiesOf(c Check) []Severity {
	if c == CheckSignReply {
		return []Severity{SeverityStop, SeverityWarning} // a signed document must not get lost silently
	}
	return Severities()
}

// Of is how much a rule weighs on the account.
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

// Validate returns what keeps the rules from being saved.
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
