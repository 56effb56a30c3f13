package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestGiroColumn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		columns []string
		want    string
	}{
		{[]string{"navn", "giroark"}, "giroark"},
		{[]string{"giro", "giroark (sider)"}, "giroark (sider)"},
		{[]string{"giro"}, "giro"},
		{[]string{"navn", "girokonto"}, ""},
		{nil, ""},
	} {
		if got := dispatch.GiroColumn(test.columns); got != test.want {
			t.Errorf("%q: got %q, want %q", test.columns, got, test.want)
		}
	}
}

// TestGiroPagesOfARow: the column decides alone, and the form of the others stays as it is.
func TestGiroPagesOfARow(t *testing.T) {
	t.Parallel()
	f := dispatch.DraftFields{Documents: map[dispatch.DocumentID]dispatch.DocumentFields{"a": {Giro: "1", Sensitive: true}, "b": {Giro: "3"}}}
	d := dispatch.Division{Document: "a", Giro: "giro"}
	for value, want := range map[string]string{"2": "2", "": "", " 4–6 ": " 4–6 "} {
		got := d.RowForm(f, []string{"navn", "giro"}, []string{"Ola", value}).Documents
		if got["a"] != (dispatch.DocumentFields{Giro: want, Sensitive: true}) || got["b"].Giro != "3" || f.Documents["a"].Giro != "1" {
			t.Errorf("%q: got %+v of %+v", value, got, f.Documents)
		}
	}
	if got := d.RowForm(f, []string{"navn", "giro"}, []string{"Ola"}).Documents["a"].Giro; got != "" {
		t.Errorf("a row that is too short has %q", got)
	}
	if got := (dispatch.Division{Document: "a"}).RowForm(f, []string{"giro"}, []string{"2"}).Documents["a"].Giro; got != "1" {
		t.Errorf("without a column: %q", got)
	}
}

func TestMissingColumn(t *testing.T) {
	t.Parallel()
	d := dispatch.Division{Column: "fil", Giro: "giro"}
	for _, test := range []struct {
		by      dispatch.DivideBy
		columns []string
		want    string
	}{
		{dispatch.DivideByFiles, []string{"fil", "giro"}, ""}, {dispatch.DivideByFiles, []string{"giro"}, "fil"}, {dispatch.DivideByFiles, []string{"fil"}, "giro"},
		{dispatch.DivideByAddress, []string{"giro"}, ""}, // it was chosen for files
	} {
		if d.By = test.by; d.MissingColumn(test.columns) != test.want {
			t.Errorf("%s with %q: got %q, want %q", test.by, test.columns, d.MissingColumn(test.columns), test.want)
		}
	}
}

// TestCostOfSlices: each costs what its own pages make it.
func TestCostOfSlices(t *testing.T) {
	t.Parallel()
	p := dispatch.Prices{Print: dispatch.PriceOf(1000), Digital: dispatch.PriceOf(300), Sheet: 100, Giro: 50, CoverSheet: true}
	s := dispatch.Shipment{Print: dispatch.PrintOptions{Duplex: true}, Documents: []dispatch.Document{{ID: "a", Pages: 9}, {ID: "b", Pages: 1}}}
	c := p.OfList(s, dispatch.Division{Document: "a", Giro: "giro"}, []dispatch.SliceSize{{Pages: 2, N: 3}, {Pages: 3, Giro: []int{3}, N: 1}}, 4)
	if c.N != 4 || c.Sheets != 3*2+3 || c.Giro != 1 || c.Paid() != 3*3+4 || c.Alike() {
		t.Errorf("got %+v", c)
	}
	if want := 3*1300 + 1450; c.Most != want || c.Print() != dispatch.PriceOf(want) || c.Digital() != dispatch.PriceOf(1200) {
		t.Errorf("got %d, %+v and %+v", c.Most, c.Print(), c.Digital())
	}
	same := p.OfList(s, dispatch.Division{}, nil, 4)
	if one := p.OfShipment(s); !same.Alike() || same.Most != 4*one.Most() || same.By[0].ShipmentCost != one {
		t.Errorf("got %+v for all alike", same)
	}
	if s.Documents[0].Pages != 9 {
		t.Error("the shipment was changed")
	}
}
