package admin

import (
	"slices"
	"testing"
	"time"

	"utsending/internal/dispatch"
)

// TestPrice: a valid price survives being shown in its field.
func TestPrice(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{
		"": 0, "0": 0, "0,45": 45, "16.5": 1650, "10 000": 1_000_000, "0,29": 29, "1,10": 110, "8 999,99": 899_999,
		"0,395": -1, "10 000,01": -1, "-1": -1, "gratis": -1, "NaN": -1,
	} {
		a, ps := AccountForm{PriceSMS: typed}.Parse(dispatch.Account{})
		refused := ps.For(dispatch.FieldPriceSMS) != nil
		if refused != (want < 0) || !refused && a.Prices.SMS != (dispatch.Price{Ore: want, Known: typed != ""}) {
			t.Errorf("%q: got %v øre, refused %v; want %d", typed, a.Prices.SMS, refused, want)
		}
	}
}

// TestAccountChanges: the event log has the old and the new value of a setting, and of one that may be personal only its name.
func TestAccountChanges(t *testing.T) {
	t.Parallel()
	before := dispatch.Account{Name: "Oppvekst", UndoWindow: 5 * time.Second}
	after := before
	after.UndoWindow, after.WatchWords, after.Color, after.Budget.Rule = 7*time.Second, "Kari", true, dispatch.BudgetRules()[0]
	after.Reply.Postal.Name, after.SenderName = "Kari Nordmann", "12847800281"
	want := []dispatch.SettingChange{{What: "account.sender", After: "128478 •••••"}, {What: "account.undo", Before: "5", After: "7"}, {What: "account.watch_words"},
		{What: "account.color", Before: "false", After: "true"}, {What: "account.reply"}}
	if got := AccountChanges(before, after); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := AccountChanges(before, before); len(got) > 0 {
		t.Errorf("nothing was changed: %+v", got)
	}
}
