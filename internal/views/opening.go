package views

// OpenPage asks for the reason to open a colleague's item or job, or to do what shows or copies its content.
type OpenPage struct {
	Page
	Creator string
	Created string      // when, as it is shown
	Back    string      // address of the item's page
	Action  string      // where the reason is posted
	Copies  bool        // the act makes a draft of the content
	Job     bool        // the content is a job's, whose items' histories do not tell of the draft
	Kept    []KeptField // what the form said that wants a reason
	Reason  string      // as typed
	Covers  bool        // the user stands in for the creator
}

// KeptField is a field of a form that is posted again with the reason.
type KeptField struct{ Name, Value string }

// reasons are the catalogue keys of suggested reasons.
func (p OpenPage) reasons() []string {
	return []string{"content.why.question", "content.why.absence", "content.why.complaint", "content.why.control", "content.why.access"}
}

// button is the catalogue key of the button.
func (p OpenPage) button() string {
	if p.Copies {
		return "content.copy"
	}
	return "content.open"
}
