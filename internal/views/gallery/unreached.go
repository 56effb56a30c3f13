package gallery

import (
	"utsending/internal/dispatch"
	"utsending/internal/views/compose"
)

// sampleUnreached are rows that an earlier job did not reach, each for another reason.
func sampleUnreached() []compose.UnreachedLine {
	it := dispatch.Item{ID: dispatch.ItemID(sampleID(740)), Kind: dispatch.KindSMS, State: dispatch.StateAccepted, Status: dispatch.StatusNotDelivered, UpstreamID: sampleID(741)}
	failed := dispatch.Item{ID: dispatch.ItemID(sampleID(742)), Kind: dispatch.KindSMS, State: dispatch.StateFailed}
	return []compose.UnreachedLine{
		{Row: 3, Number: "••• •• 400", Item: it},
		{Row: 7, Number: "••••••••155", Item: failed},
		{Row: 12, Number: "••• •• 901"},
		{Row: 30, Number: "••• •• 122", Item: it, Replaced: true, Second: true, Out: true, LeaveOut: true}, {Row: 31, Number: "••• •• 123", Item: it, Replaced: true, Out: true, LeaveOut: true},
		{Row: 32, Number: "••• •• 124", Was: "••• •• 006", Item: it},
		{Row: 33, Number: "••• •• 125", Item: it, Replaced: true, Second: true}, {Row: 34, Number: "••• •• 126", Item: it, Replaced: true},
	}
}

// allReplaced turns a job into a draft all of whose rows are in other sendings, and returns those.
func allReplaced(j *dispatch.Job) []compose.UnreachedLine {
	j.Again, j.Replaced, j.AllReplaced, j.List = true, 2, true, dispatch.JobList{Read: 2, Valid: 2}
	lines := sampleUnreached()[:2]
	for i := range lines {
		lines[i].Replaced, lines[i].Second, lines[i].Vain = true, true, true
	}
	return lines
}

// toUnreached is the list of a draft of a letter to four whom an earlier job did not reach, some of whom are in other sendings.
func toUnreached(replaced int) *dispatch.Job {
	return &dispatch.Job{Kind: dispatch.KindShipment, State: dispatch.JobDraft, Again: true, List: dispatch.JobList{Read: 4, Valid: 4}, Replaced: replaced, AllReplaced: replaced == 4}
}
