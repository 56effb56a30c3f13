package recipients_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"utsending/internal/dispatch"
	"utsending/internal/recipients"
)

// shipmentRows reads a list for a shipment and writes every row in one line, or the key that it is refused with.
func shipmentRows(t *testing.T, content string) (rows []string) {
	t.Helper()
	l, err := recipients.OpenShipments(strings.NewReader(content), int64(len(content)))
	if err == nil {
		err = l.Each(5, func(r dispatch.JobRow) error {
			a := r.Shipment.Postal
			rows = append(rows, strings.Join([]string{r.Shipment.Number, a.Name, a.Line1, a.Line2, a.Line3, a.PostalCode, a.City, a.Country, r.Problem.Key}, "|"))
			return nil
		})
	}
	var refused *recipients.Refused
	if errors.As(err, &refused) {
		return []string{refused.Problem.Key}
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestShipmentsFindTheirColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, list string
		want       []string
	}{
		{"in any order", "Poststed;Navn;Postnr;Fnr;Adresse\nSteinkjer;Ola;7713;" + ola + ";Storgata 1\n", []string{ola + "|Ola|Storgata 1|||7713|Steinkjer|Norge|"}},
		{"given and family names", "Fornavn,Etternavn,Adresse 1,Adresse 2,Adresselinje 3,Adresse 4,Land\nOla,Nordmann,a,b,c,d,Sverige\n", []string{"|Ola Nordmann|a|b|c|||Sverige|"}},
		{"two kinds of numbers", "Orgnr\tFødselsnummer\tMottaker\n987654325\t\tFirma AS\n\t" + ola + "\tOla\n987654325\t" + ola + "\tBegge\n",
			[]string{"987654325|Firma AS||||||Norge|", ola + "|Ola||||||Norge|", "987654325 / " + ola + "|Begge||||||Norge|"}},
		{"a digit that somebody forgot", "Navn;Postnummer;Poststed\nOla;123;Steinkjer\nSven;123;OSLO\n", []string{"|Ola||||123|Steinkjer|Norge|", "|Sven||||0123|OSLO|Norge|"}},
		{"a zero that a spreadsheet took", "Navn;Postnummer;Land\nOla;150;\nSven;150;Sverige\n", []string{"|Ola||||0150||Norge|", "|Sven||||150||Sverige|"}},
		{"spaces and apostrophes", "Navn;Fnr\n Ola ;'018901 07881\n", []string{ola + "|Ola||||||Norge|"}},
		{"empty rows between", "Navn;Adresse\n\n;\nOla;a\n", []string{"|Ola|a|||||Norge|"}},
		{"quotes that cannot be understood", "Navn;Adresse\nO\"la\"x;a\n", []string{"||||||||problem.row.quote"}},
		{"without a name", "Fnr;Adresse\n" + ola + ";a\n", []string{"problem.list.no_name"}},
		{"without headings", ola + ";Ola;Storgata 1\n", []string{"problem.list.no_name"}},
		{"nobody", "Navn;Adresse\n", []string{"problem.list.empty"}},
		{"nothing", "", []string{"problem.list.empty"}},
		{"too many", "Navn\na\nb\nc\nd\ne\nf\n", []string{"problem.list.rows"}},
		{"a PDF", "%PDF-1.7", []string{"problem.list.kind"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := shipmentRows(t, c.list)
			if strings.HasPrefix(c.name, "quotes") && len(got) == 1 {
				got[0] = "||||||||" + got[0][strings.LastIndex(got[0], "|")+1:]
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestShipmentsOfAWorkbook: numbers in cells have lost their leading zeros.
func TestShipmentsOfAWorkbook(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Fødselsnummer", "B1": "Navn", "C1": "Adresse", "D1": "Postnr", "E1": "Sted", "A2": 1890107881, "B2": "Ola", "C2": "Storgata 1", "D2": 150, "E2": "Oslo"} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	b, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{ola + "|Ola|Storgata 1|||0150|Oslo|Norge|"}, shipmentRows(t, b.String())); diff != "" {
		t.Error(diff)
	}
}
