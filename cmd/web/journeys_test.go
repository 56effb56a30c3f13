package main_test

import (
	"testing"

	"utsending/internal/browsertest"
)

// journey is a user's way through the application, in one or more windows of a browser shared by all journeys.
type journey struct {
	name string
	walk func(*testing.T, *browsertest.Browser)
}

// walk runs journeys in parallel.
func walk(t *testing.T, journeys []journey) {
	t.Helper()
	t.Parallel()
	browser := browsertest.Start(t)
	for _, j := range journeys {
		t.Run(j.name, func(t *testing.T) {
			t.Parallel()
			j.walk(t, browser)
		})
	}
}

// TestJourneys runs the journeys of SMS, and those common to all messages.
func TestJourneys(t *testing.T) { walk(t, journeys()) }

func journeys() []journey {
	return []journey{
		{"a caseworker sends by phone number and by national id", sendsBothWays},
		{"a caseworker sends without JavaScript", sendsWithoutScript},
		{"a team writes and uses a template", usesTemplates(browsertest.PageOptions{})},
		{"a team writes and uses a template without JavaScript", usesTemplates(withoutScript)},
		{"a caseworker sends to many", sendsToMany(browsertest.PageOptions{})},
		{"a caseworker sends to many without JavaScript", sendsToMany(withoutScript)},
		{"a caseworker sends to a thousand, traceably and fast", sendsThousand},
		{"a caseworker sends again and later to many", sendsAgainAndLater(browsertest.PageOptions{})},
		{"a caseworker sends again and later to many without JavaScript", sendsAgainAndLater(withoutScript)},
		{"a colleague approves", approves(browsertest.PageOptions{Mobile: true})},
		{"a colleague approves without JavaScript", approves(withoutScript)},
		{"a caseworker corrects every problem", correctsProblems},
		{"a caseworker gives two recipients", choosesOneRecipient},
		{"problems are answered with 422", answersProblems},
		{"a caseworker reloads and goes back", survivesSecondTries},
		{"an impatient hand clicks many times", survivesManyClicks},
		{"a caseworker stops an SMS in time", stopsWithinTheWindow},
		{"a caseworker writes cheaper, and sends later", plansAhead},
		{"a caseworker writes cheaper without JavaScript", replacesWithoutScript},
		{"a caseworker decides about uncertain SMS", decidesUncertain},
		{"a caseworker decides about many at once", decidesManyUncertain},
		{"a caseworker clears the follow-ups", clearsFollowUps(browsertest.PageOptions{})},
		{"a caseworker clears the follow-ups without JavaScript", clearsFollowUps(withoutScript)},
		{"a team lead begins the day without JavaScript", leads(withoutScript)},
		{"a team lead begins the day on a phone", leads(onPhone)},
		{"the service rejects, or is down for a moment", meetsRejection},
		{"the status is read, or cannot be read", readsStatus},
		{"the old status stays while reading fails", keepsOldStatus},
		{"the service refuses our login", meetsRefusal},
		{"the service answers as if we were wrong", meetsWrongAnswers},
		{"the service refuses one account", meetsRefusedAccount},
		{"three uncertain answers stop the integration", meetsOutage},
		{"an administrator pauses all delivery", pausesDelivery},
		{"an administrator tries and changes credentials", changesCredentials},
		{"an administrator tries credentials without JavaScript", triesWithoutScript},
		{"an administrator decides after a restore", decidesRestored},
		{"a caseworker logs out", logsOut},
		{"a caseworker logs out elsewhere", logsOutElsewhere},
		{"a login comes to nothing", failsToLogIn},
		{"each role gets its own pages", keepsRolesApart},
		{"each role sees what it may", seesByRole},
		{"a caseworker reveals a number", revealsNumber},
		{"a team lead and an auditor open a colleague's SMS", opensOthers},
		{"an auditor loses their rights", losesRights},
		{"a caseworker is warned before the session ends", isWarned},
		{"a caseworker types, leaves, and finds what was typed", typesAndLeaves},
		{"a caseworker asks the contact register", looksUp},
		{"a team lead asks the contact register without JavaScript", looksUpWithoutScript},
	}
}
