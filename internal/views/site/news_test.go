package site

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// Reasons why users need no sentence about an entry.
const (
	operators = "operators only"
	unnoticed = "nobody works in another way"
	fault     = "a fault that is mended"
	selfTold  = "the page itself tells it"
	ground    = "part of the service from its first day"
)

// told has the beginning of each entry of CHANGELOG.md, and the sentences about it on Hva er nytt or the reason why there is none.
var told = []struct{ entry, news string }{
	{"The review of a draft that was changed in another tab, or", selfTold},
	{"A draft to those whom a bulk sending did not reach, all of whom got", selfTold},
	{"**An uncertain shipment that a person asked to stop", fault},
	{"Each login keeps its last trial", selfTold},
	{"Who of a bulk sending that was not reached", selfTold},
	{"Each login remembers when the service accepted", selfTold},
	{"A shipment sent in place of one that was not signed", selfTold},
	{"A new message to the recipients of a stopped job", selfTold},
	{"The page of a bulk sending says who paused", selfTold},
	{"A login that is kept beside the one in use", selfTold},
	{"An uncertain item that somebody sends again", selfTold},
	{"Of integrations: a login that the service refused", selfTold},
	{"What a walk through the forms found", selfTold},
	{"What a walk through the lists found", selfTold},
	{"A merge field that is opened with a blank", selfTold},
	{"The form of a shipment to several counts", selfTold},
	{"A draft of an SMS to several that takes up", selfTold},
	{"*Hendelseslogg*: everything about an integration", selfTold},
	{"*Hendelseslogg* tells which retention periods", selfTold},
	{"A name, address or place that is also a merge field", selfTold},
	{"The page of a colleague's failed item says", selfTold},
	{"The event log leads from a line", selfTold},
	{"*Utkast og planlagt* counts SMS to several", selfTold},
	{"*Forsendelse* is the thing in the application", selfTold},
	{"*Godkjenning av endringer* shows who approves", selfTold},
	{"*Innsyn* shows when each item was sent", selfTold},
	{"After a failover, a process", operators},
	{"A bulk sending that was stopped, also", selfTold},
	{"A row that was left out of a list", selfTold},
	{"The rows of *Hva som skjedde sist*", selfTold},
	{"The receipt of *Send på nytt* counts", selfTold},
	{"The status of a failed item shows", selfTold},
	{"*Oversikt* shows and counts drafts", selfTold},
	{"The page of a finished bulk sending uses", fault},
	{"*Varsler fra driften* uses the past tense", selfTold},
	{"Sending a bulk sending again to those it did not reach, moving", fault},
	{"*Innsyn* warns of a check digit", selfTold},
	{"The draft to those whom a bulk sending did not reach shows", selfTold},
	{"The page of a bulk sending shows the unsent drafts", selfTold},
	{"*Ledelse* says *Feilet eller uavklart*", selfTold},
	{"A draft to those whom a bulk sending did not reach", selfTold},
	{"An item whose status could not be read", selfTold},
	{"*Varsler* offers only the notices", selfTold},
	{"*Hendelseslogg* lists the changed fields", selfTold},
	{"*Hjelp* and *Kom i gang* show only", selfTold},
	{"A second copy of a failed message", selfTold},
	{"The problems of a shipment are listed", selfTold},
	{"Sending a bulk sending again to the recipients", fault},
	{"*Gjennomgang av tilganger* says what to do", selfTold},
	{"*Oppbevaring* explains what is deleted", selfTold},
	{"*Send på nytt* for several does", selfTold},
	{"Rows of *Trenger oppfølging* show", selfTold},
	{"Lists filter by *Overlevert*", selfTold},
	{"*Utkast* no longer lists shipments", selfTold},
	{"A bulk sending is *Sendt* until", selfTold},
	{"The review of a shipment has its first page", selfTold},
	{"Pages of administration", fault},
	{"*Personvern* names the municipality", selfTold},
	{"The event log names the integration", selfTold},
	{"*Maler* says what each template is for", selfTold},
	{"What a person stops is *Stoppet* everywhere", selfTold},
	{"A message at a field disappears", selfTold},
	{"Messages in a form go", selfTold},
	{"*Rett og send på nytt* fills in", selfTold},
	{"The page for approving has", selfTold},
	{"Pages are lighter", unnoticed},
	{"An account may have its own chat", "news.admin.4"},
	{"The settings of an account are divided", selfTold},
	{"What changes secrets and rights", selfTold},
	{"Lists have one form", "news.follow.5"},
	{"Where something was sent in place", selfTold},
	{"The effect of an act on 100 000", unnoticed},
	{"The review of an SMS tells", selfTold},
	{"Drafts and follow-ups about a protected person", fault},
	{"After a failover to a database", fault},
	{"*Kom i gang* lists", selfTold},
	{"An upload or a form that comes too slowly", fault},
	{"For operators: `deploy/patroni`", operators},
	{"A process that starts on a standby", operators},
	{"CSV files guard", fault},
	{"*Følg opp* names the item", selfTold},
	{"The count at *Trenger oppfølging*", selfTold},
	{"For operators: files of shipments", operators},
	{"Exports escape cells", fault},
	{"Giro pages: page numbers beyond", fault},
	{"High contrast under *Visning*", "news.read.2"},
	{"*Utseende*: an administrator", "news.admin.1"},
	{"For operators: manifests for Kubernetes", operators},
	{"After a failover of the database", operators},
	{"*Trenger oppfølging* can be sorted", "news.follow.5"},
	{"Lists, the worklist and *Ledelse* print", "news.lists.3"},
	{"Lists are sorted by column headers", "news.lists.1"},
	{"*Hjelp*, *Ordliste*, *Visning*", unnoticed},
	{"Exports made before a person", fault},
	{"A form whose response was lost", fault},
	{"Operators can reconcile an account", operators},
	{"The server refuses to start behind", operators},
	{"A search in the header", "news.read.3"},
	{"Pages and notices are in bokmål", "news.read.1"},

	{"To a national identity number or a phone number", "news.send.2"},
	{"While typing: segments", ground},
	{"Later, at a chosen time", ground},
	{"*Masseutsendinger*: a list", ground},
	{"Lists are read as people see them", ground},
	{"A monthly limit of segments", ground},
	{"Templates with versions", ground},
	{"*Kontaktregister*: look up", ground},

	{"A draft of PDFs", ground},
	{"All fields of the shipment service", ground},
	{"Generations V1, V2 and V3", "news.admin.3"},
	{"On V3 an account can be turned on", selfTold},
	{"PDFs are checked when uploaded", ground},
	{"Comments, author, attachments", selfTold},
	{"*Flere mottakere*: a shipment to a list", "news.send.4"},
	{"Cost is shown before sending", ground},
	{"References by the account's pattern", ground},
	{"Drafts can be handed to a colleague", ground},
	{"Copies with all choices", ground},
	{"*Sett som lest*, *Slett dokumentene hos tjenesten*", ground},

	{"Forms are saved while typing", "news.send.1"},
	{"The review tells what the recipient was sent", "news.send.3"},
	{"*Kostnad*, *Send neste virkedag", ground},
	{"Approval: an account can demand it", selfTold},
	{"*Skjermede personer*: only named users", "news.lead_page.2"},
	{"*Feil mottaker?*, *Dokumentasjon på sending*", "news.send.5 news.follow.3"},

	{"*Oversikt*: figures", ground},
	{"One list of SMS and shipments", "news.lists.2"},
	{"*Trenger oppfølging*: rejected, failed", "news.follow.1"},
	{"Ticked rows, a page or a whole filter", "news.follow.2"},
	{"The page of an item offers its main act", ground},
	{"*Uavklart*: an item that may", ground},
	{"*Stopp* during a running call", unnoticed},
	{"Exports of any list", ground},
	{"*Fravær og stedfortredere*: a deputy", "news.follow.4"},
	{"*Ledelse*: four present questions", "news.lead_page.1 news.lead_page.3"},
	{"*Varsler*: a digest", ground},

	{"*Kontoer*, *Integrasjoner*", ground},
	{"Serious acts ask on a page of their own", "news.admin.2"},
	{"Content belongs to its sender", ground},
	{"*Hendelseslogg*, hash-chained", ground},
	{"*Oppbevaring* with legal holds", ground},
	{"In test environments national identity numbers", ground},

	{"Bokmål, nynorsk and English; light and dark", "news.read.1"},
	{"*Hjelp*, *Ordliste*, *Personvern*", ground},

	{"A container image and a composition", operators},
	{"The server can run as a database user", operators},
	{"After a restore, delivery pauses", operators},
	{"`web migrate` carries over", operators},
	{"PDFs are read by PDFium", operators},
	{"A queue entry that keeps failing", operators},
}

// TestNewsFollowTheChangelog: whoever adds to CHANGELOG.md decides whether users are told on Hva er nytt, and nothing is told that is not
// in it.
func TestNewsFollowTheChangelog(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`(?m)^- (.*)$`).FindAllStringSubmatch(string(text), -1)
	found := map[string]bool{}
	for _, e := range entries {
		known := false
		for _, row := range told {
			if strings.HasPrefix(e[1], row.entry) {
				known, found[row.entry] = true, true
			}
		}
		if !known {
			t.Errorf("CHANGELOG.md: %q is not in the table of this test. If it changes how people work, write a sentence news.… into the three "+
				"catalogues and news.go, and name it in the table; otherwise give the reason there.", e[1])
		}
	}
	ctx := i18ntest.InNorwegian(t)
	named := map[string]bool{} // sentences of the page, true when a row names them
	for _, chapter := range News(ctx, views.Page{}, views.Contacts{}).Chapters {
		for _, point := range chapter.Points {
			named[point] = false
		}
	}
	for _, row := range told {
		if !found[row.entry] {
			t.Errorf("no entry of CHANGELOG.md begins with %q: give the row its new beginning, or remove it", row.entry)
		}
		for key := range strings.FieldsSeq(row.news) {
			if !strings.HasPrefix(key, "news.") {
				continue
			}
			if _, shown := named[i18n.T(ctx, key)]; !shown {
				t.Errorf("the entry %q names %s, which Hva er nytt does not show", row.entry, key)
			}
			named[i18n.T(ctx, key)] = true
		}
	}
	for point, known := range named {
		if !known {
			t.Errorf("Hva er nytt says %q, and no row of this test's table names it: name it at the entry of CHANGELOG.md that it tells of", point)
		}
	}
}
