package handlers_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
)

// row is a route with its expected status for everybody, in this order: nobody, no rights, caseworker, team lead,
// account administrator, system administrator, auditor, caseworker of another account.
type row struct{ method, path, want string }

const (
	open      = "200 200 200 200 200 200 200 200"
	sees      = "401 404 200 200 403 404 200 404"
	sends     = "401 404 200 200 403 404 403 404"
	follows   = "401 404 303 303 403 404 403 404"
	owns      = "401 404 200 404 403 404 403 404" // a caseworker's own draft
	ownsTo    = "401 404 303 404 403 404 403 404"
	reveals   = "401 404 200 200 403 404 200 404" // what one has sent oneself; others with a reason
	opens     = "401 404 303 200 403 404 200 404" // what others have sent, with a reason; one's own has a page
	reads     = "401 404 200 200 200 404 403 404" // templates: used by some, written by others
	writes    = "401 404 403 200 200 404 403 404"
	writing   = "401 404 403 303 303 404 403 404"
	operates  = "401 403 403 403 403 200 403 403"
	operating = "401 403 403 403 403 303 403 403"
	holds     = "401 404 403 200 403 404 200 404"
	approves  = "401 404 403 200 403 404 403 404"
	holding   = "401 404 403 303 403 404 303 404"
	audits    = "401 403 403 403 403 200 200 403" // the log: all of it, or that of an account
)

var table = []row{
	{"GET", "/healthz", open},
	{"GET", "/readyz", open},
	{"GET", "/static/*", open},
	{"GET", "/logget-ut", open},
	{"GET", "/tema/farger.css", "404 404 404 404 404 404 404 404"}, // nobody has set a theme
	{"GET", "/tema/logo.png", "404 404 404 404 404 404 404 404"},
	{"GET", "/logg-inn", "303 303 303 303 303 303 303 303"},
	{"GET", "/oidc/retur", "400 303 303 303 303 303 303 303"}, // who is logged in goes home
	{"GET", "/oidc/utlogging", open},
	{"GET", "/logg-inn/igjen", "401 303 303 303 303 303 303 303"},
	{"GET", "/", "303 200 303 303 303 303 303 303"},
	{"GET", "/kontoer", "401 200 200 200 200 200 200 200"},
	{"GET", "/ordliste", "401 200 200 200 200 200 200 200"},
	{"GET", "/kom-i-gang", "401 200 200 200 200 200 200 200"},
	{"GET", "/nytt", open},
	{"GET", "/hjelp", open},
	{"GET", "/hjelp/brevmal.docx", open},
	{"GET", "/personvern", open},
	{"GET", "/tilgjengelighet", open},
	{"GET", "/driftsstatus", "401 200 200 200 200 200 200 200"},
	{"GET", "/admin/tilstand", operates},
	{"GET", "/admin/varsler", operates},
	{"POST", "/admin/varsler/prov", operating},
	{"GET", "/min-side/visning", "401 200 200 200 200 200 200 200"},
	{"POST", "/min-side/visning", "401 303 303 303 303 303 303 303"},
	{"GET", "/min-side/innlogginger", "401 200 200 200 200 200 200 200"},
	{"POST", "/min-side/innlogginger/avslutt", "401 303 303 303 303 303 303 303"},
	{"GET", "/min-side/varsler", "401 200 200 200 200 200 200 200"},
	{"POST", "/min-side/varsler", "401 303 303 303 303 303 303 303"},
	{"POST", "/min-side/varsler/prov", "401 303 303 303 303 303 303 303"},
	{"POST", "/min-side/fortsett", "401 303 303 303 303 303 303 303"},
	{"POST", "/logg-ut", "401 303 303 303 303 303 303 303"},
	{"GET", "/admin/levering", operates},
	{"GET", "/admin/levering/pause", operates},
	{"POST", "/admin/levering/pause", operating},
	{"POST", "/admin/levering/start", operating},
	{"POST", "/admin/levering/gjenopprettet/:konto", operating},
	{"POST", "/admin/levering/integrasjoner/:id/klarer", operating},
	{"POST", "/admin/levering/integrasjoner/:id/klarer/:konto", operating},
	{"GET", "/admin/levering/integrasjoner/:id/stopp", operates},
	{"POST", "/admin/levering/integrasjoner/:id/stopp", operating},
	{"GET", "/admin/levering/integrasjoner/:id/apne", operating}, // it is not stopped
	{"POST", "/admin/levering/integrasjoner/:id/apne", operating},
	{"GET", "/admin/avstemming", operates},
	{"POST", "/admin/avstemming", operating},
	{"GET", "/admin/avstemming/:id", operates},
	{"GET", "/admin/godkjenning", operates},
	{"POST", "/admin/godkjenning/:id/godkjenn", operating},
	{"POST", "/admin/godkjenning/:id/avvis", operating},
	{"POST", "/admin/godkjenning/:id/trekk", "401 403 403 403 403 404 403 403"}, // another's
	{"GET", "/admin/utseende", operates},
	{"POST", "/admin/utseende", "401 403 403 403 403 422 403 403"}, // of another version
	{"GET", "/admin/integrasjoner", operates},
	{"GET", "/admin/integrasjoner/ny", operates},
	{"POST", "/admin/integrasjoner/ny", "401 403 403 403 403 422 403 403"}, // the configuration has no service
	{"GET", "/admin/integrasjoner/:id", operates},
	{"GET", "/admin/integrasjoner/:id/endre", operates},
	{"POST", "/admin/integrasjoner/:id/endre", operating},
	{"POST", "/admin/integrasjoner/:id/prov", operates},
	{"GET", "/admin/integrasjoner/:id/stopp", operates},
	{"POST", "/admin/integrasjoner/:id/stopp", operating},
	{"GET", "/admin/integrasjoner/:id/apne", operating}, // it is not stopped
	{"POST", "/admin/integrasjoner/:id/apne", operating},
	{"POST", "/admin/integrasjoner/:id/klarer", operating},
	{"GET", "/admin/integrasjoner/:id/slett", operates},
	{"POST", "/admin/integrasjoner/:id/slett", operating},
	{"POST", "/admin/integrasjoner/:id/sertifikat", "401 403 403 403 403 422 403 403"}, // nothing is pasted
	{"GET", "/admin/integrasjoner/:id/sertifikat/fjern", operates},
	{"POST", "/admin/integrasjoner/:id/sertifikat/fjern", operating},
	{"GET", "/admin/integrasjoner/:id/tilgang", operates},
	{"POST", "/admin/integrasjoner/:id/tilgang", operating},
	{"POST", "/admin/integrasjoner/:id/tilgang/:sett/prov", operates},
	{"POST", "/admin/integrasjoner/:id/tilgang/:sett/bruk", operating},
	{"GET", "/admin/integrasjoner/:id/tilgang/:sett/slett", operates},
	{"POST", "/admin/integrasjoner/:id/tilgang/:sett/slett", operating},
	{"GET", "/admin/generasjoner", operates},
	{"POST", "/admin/generasjoner", "401 403 403 403 403 422 403 403"}, // nothing chosen
	{"POST", "/admin/generasjoner/prov", "401 403 403 403 403 422 403 403"},
	{"GET", "/admin/kontoer", operates},
	{"GET", "/admin/bruk", operates},
	{"GET", "/admin/kontoer/ny", operates},
	{"POST", "/admin/kontoer/ny", operating},
	{"GET", "/admin/kontoer/:konto", operates},
	{"POST", "/admin/kontoer/:konto", operating},
	{"GET", "/admin/kontoer/:konto/deaktiver", operates},
	{"POST", "/admin/kontoer/:konto/deaktiver", operating},
	{"POST", "/admin/kontoer/:konto/aktiver", operating},
	{"GET", "/admin/kontoer/:konto/bytt", operates},
	{"GET", "/admin/kontoer/:konto/varsler", operates},
	{"POST", "/admin/kontoer/:konto/varsler/feil", operating},
	{"POST", "/admin/kontoer/:konto/varsler/chat", "401 403 403 403 403 422 403 403"}, // nothing is typed
	{"POST", "/admin/kontoer/:konto/varsler/prov", operating},                         // there is none: back to the page
	{"GET", "/admin/kontoer/:konto/pdf", operates},
	{"POST", "/admin/kontoer/:konto/pdf", "401 403 403 403 403 422 403 403"},  // without numbers
	{"POST", "/admin/kontoer/:konto/bytt", "401 403 403 403 403 422 403 403"}, // from none to none
	{"POST", "/admin/kontoer/:konto/bytt/prov", "401 403 403 403 403 422 403 403"},
	{"GET", "/admin/tilgangskontroll", "401 403 403 403 403 200 200 403"},
	{"POST", "/admin/tilgangskontroll", "401 403 403 403 403 422 403 403"}, // without what was shown
	{"GET", "/admin/rettigheter", operates},
	{"POST", "/admin/rettigheter", operating},
	{"GET", "/admin/rettigheter/:id/fjern", operates},
	{"POST", "/admin/rettigheter/:id/fjern", operating},
	{"GET", "/admin/oppbevaring", audits},
	{"POST", "/admin/oppbevaring", "401 403 403 403 403 422 403 403"}, // without numbers
	{"GET", "/admin/innsyn", audits},
	{"POST", "/admin/innsyn", audits},
	{"GET", "/admin/logg", audits},
	{"POST", "/admin/logg/kontroller", audits},
	{"GET", "/admin/logg.csv", audits},
	{"GET", "/admin/logg.jsonl", audits},
	{"GET", "/k/:konto", "401 404 303 303 403 404 303 404"}, // typed without the last slash
	{"GET", "/k/:konto/", sees},
	{"GET", "/k/:konto/ledelse", "401 404 403 200 403 404 403 404"},
	{"GET", "/k/:konto/ledelse.csv", "401 404 403 200 403 404 403 404"},
	{"GET", "/k/:konto/oppfolging", sees},
	{"GET", "/k/:konto/utsendinger", sees},
	{"POST", "/k/:konto/utvalg", follows},
	{"POST", "/k/:konto/utvalg/lagre", follows},
	{"GET", "/k/:konto/utvalg/:utvalg", owns},
	{"POST", "/k/:konto/sok", "401 404 303 303 403 404 422 404"}, // for a whole number, which not everybody may,
	{"POST", "/k/:konto/sok-person", follows},
	{"GET", "/k/:konto/sok/:sok", "401 404 200 404 403 404 404 404"}, // the caseworker's own
	{"GET", "/k/:konto/sok/:sok/person", "401 404 200 404 403 404 403 404"},
	{"POST", "/k/:konto/sok/:sok/person", "401 404 303 404 403 404 403 404"},
	{"GET", "/k/:konto/arkiv", sends},
	{"POST", "/k/:konto/arkiv", "401 404 422 422 403 404 403 404"}, // without a day
	{"GET", "/k/:konto/mottaker/:sok", "401 404 200 404 403 404 403 404"},
	{"GET", "/k/:konto/eksport", sees},
	{"POST", "/k/:konto/eksport", "401 404 303 303 403 404 303 404"},
	{"GET", "/k/:konto/eksport/:eksport", "401 404 200 404 403 404 404 404"}, // the caseworker's own
	{"GET", "/k/:konto/eksport/:eksport/fil", "401 404 200 404 403 404 404 404"},
	{"POST", "/k/:konto/utsendinger/visning", "401 404 303 303 403 404 303 404"},
	{"POST", "/k/:konto/filtre", "401 404 303 303 403 404 303 404"},
	{"POST", "/k/:konto/filtre/:id/slett", "401 404 303 404 403 404 404 404"}, // the caseworker's own
	{"GET", "/k/:konto/sms", sees},
	{"GET", "/k/:konto/sms/ny", sends},
	{"POST", "/k/:konto/sms/ny", follows},
	{"POST", "/k/:konto/sms/ny/lagre", sends},
	{"POST", "/k/:konto/sms/ny/forkast", follows},
	{"GET", "/k/:konto/lister/eksempel-sms.csv", sends},
	{"GET", "/k/:konto/lister/eksempel-brev.csv", sends},
	{"GET", "/k/:konto/sms/ny/flere", sends},
	{"POST", "/k/:konto/sms/ny/flere", "401 404 400 400 403 404 403 404"}, // the form has no parts
	{"POST", "/k/:konto/sms/teller", sends},
	{"POST", "/k/:konto/sms/sjekk", sends},
	{"GET", "/k/:konto/sms/uavklart", sees},
	{"POST", "/k/:konto/sms/uavklart", follows},
	{"GET", "/k/:konto/sms/:id", sees},
	{"GET", "/k/:konto/sms/:id/dokumentasjon", sees},
	{"GET", "/k/:konto/sms/:id/feil-mottaker", sees},
	{"POST", "/k/:konto/sms/:id/arkivpakke", "401 404 200 200 403 404 200 404"},
	{"GET", "/k/:konto/sms/:id/arkivert", sends},
	{"POST", "/k/:konto/sms/:id/arkivert", follows},
	{"GET", "/k/:konto/sms/:id/person", sends},
	{"POST", "/k/:konto/sms/:id/person", follows},
	{"GET", "/k/:konto/sms/:id/endre", owns},
	{"POST", "/k/:konto/sms/:id/endre", ownsTo},
	{"POST", "/k/:konto/sms/:id/lagre", "401 404 409 404 403 404 403 404"}, // without what the form showed
	{"GET", "/k/:konto/sms/:id/kontroll", owns},
	{"POST", "/k/:konto/sms/:id/oppslag", owns},
	{"POST", "/k/:konto/sms/:id/send", "401 404 422 404 403 404 403 404"}, // without what the review showed
	{"POST", "/k/:konto/sms/:id/forkast", ownsTo},
	{"POST", "/k/:konto/sms/:id/trekk-tilbake", ownsTo},
	{"POST", "/k/:konto/sms/:id/kopier", follows}, // a colleague's with a reason
	{"POST", "/k/:konto/sms/:id/avbryt", follows},
	{"GET", "/k/:konto/sms/:id/tidspunkt", follows}, // it is due: back to its page
	{"POST", "/k/:konto/sms/:id/tidspunkt", follows},
	{"POST", "/k/:konto/sms/:id/bekreft", follows},
	{"POST", "/k/:konto/sms/:id/send-igjen", follows},
	{"POST", "/k/:konto/sms/:id/avgjor", follows},
	{"GET", "/k/:konto/sms/:id/fulgt-opp", follows}, // nothing is wrong with it: back to its page
	{"POST", "/k/:konto/sms/:id/fulgt-opp", follows},
	{"GET", "/k/:konto/sms/:id/behold", holds},
	{"POST", "/k/:konto/sms/:id/behold", holding},
	{"POST", "/k/:konto/sms/:id/kontroller", follows},
	{"POST", "/k/:konto/sms/:id/brev", follows}, // a colleague's with a reason
	{"POST", "/k/:konto/sms/:id/vis", reveals},
	{"POST", "/k/:konto/oppfolging/ta", follows},
	{"GET", "/k/:konto/fravar", "401 404 200 200 403 404 403 404"},
	{"POST", "/k/:konto/fravar", "401 404 422 422 403 404 403 404"},
	{"POST", "/k/:konto/fravar/avslutt", "401 404 404 404 403 404 403 404"},
	{"GET", "/k/:konto/skjermede", approves},
	{"POST", "/k/:konto/skjermede", "401 404 403 422 403 404 403 404"},
	{"GET", "/k/:konto/skjermede/:id", approves},
	{"POST", "/k/:konto/skjermede/:id/navngitte", "401 404 403 422 403 404 403 404"},
	{"POST", "/k/:konto/skjermede/:id/opphev", "401 404 403 422 403 404 403 404"},
	{"GET", "/k/:konto/overlat", approves},
	{"POST", "/k/:konto/overlat", "401 404 403 422 403 404 403 404"},
	{"GET", "/k/:konto/sms/:id/apne", opens},
	{"POST", "/k/:konto/sms/:id/apne", opens},
	{"GET", "/k/:konto/innstillinger", "401 404 403 403 200 404 403 404"},
	{"POST", "/k/:konto/innstillinger", "401 404 403 403 303 404 403 404"},
	{"GET", "/k/:konto/innstillinger/varsler", "401 404 403 403 200 404 403 404"},
	{"POST", "/k/:konto/innstillinger/varsler/feil", "401 404 403 403 303 404 403 404"},
	{"POST", "/k/:konto/innstillinger/varsler/chat", "401 404 403 403 422 404 403 404"}, // nothing is typed
	{"POST", "/k/:konto/innstillinger/varsler/prov", "401 404 403 403 303 404 403 404"}, // there is none: back to the page
	{"GET", "/k/:konto/innstillinger/pdf", "401 404 403 403 200 404 403 404"},
	{"POST", "/k/:konto/innstillinger/pdf", "401 404 403 403 422 404 403 404"}, // without numbers
	{"GET", "/k/:konto/maler", reads},
	{"GET", "/k/:konto/maler/ny", writes},
	{"POST", "/k/:konto/maler/ny", writing},
	{"POST", "/k/:konto/maler/teller", writes},
	{"GET", "/k/:konto/maler/:id", reads},
	{"GET", "/k/:konto/maler/:id/endre", writes},
	{"POST", "/k/:konto/maler/:id/endre", writing},
	{"POST", "/k/:konto/maler/:id/arkiver", writing},
	{"POST", "/k/:konto/maler/:id/aktiver", writing},
	{"POST", "/k/:konto/maler/:id/godkjenning", writing},
	{"POST", "/k/:konto/maler/:id/trekk-tilbake", "401 404 403 404 404 404 403 404"}, // nothing of it waits
	{"GET", "/k/:konto/maler/:id/versjoner/:versjon", reads},
	{"POST", "/k/:konto/maler/:id/versjoner/:versjon/tilbake", writing},
	{"GET", "/k/:konto/oppslag", sends},
	{"POST", "/k/:konto/oppslag", follows},
	{"POST", "/k/:konto/oppslag/igjen", follows},
	{"POST", "/k/:konto/oppslag/glem", follows},
	{"POST", "/k/:konto/oppslag/sms", follows},
	{"GET", "/k/:konto/jobber", sees},
	{"GET", "/k/:konto/jobber/:id", sees},
	{"GET", "/k/:konto/jobber/:id/endre", owns},
	{"POST", "/k/:konto/jobber/:id/endre", ownsTo},
	{"POST", "/k/:konto/jobber/:id/lagre", "401 404 409 404 403 404 403 404"},
	{"POST", "/k/:konto/jobber/:id/teller", owns},
	{"POST", "/k/:konto/jobber/:id/liste", "401 404 400 404 403 404 403 404"}, // the form has no parts
	{"POST", "/k/:konto/jobber/:id/lesing", ownsTo},
	{"GET", "/k/:konto/jobber/:id/feil", owns},
	{"POST", "/k/:konto/jobber/:id/feil", ownsTo},
	{"POST", "/k/:konto/jobber/:id/feil/teller", "401 404 404 404 403 404 403 404"}, // no row is named
	{"GET", "/k/:konto/jobber/:id/feil.csv", owns},
	{"GET", "/k/:konto/jobber/:id/ikke-nadd", ownsTo}, // the job has been sent
	{"POST", "/k/:konto/jobber/:id/ikke-nadd", ownsTo},
	{"GET", "/k/:konto/jobber/:id/kan-nas", owns},
	{"POST", "/k/:konto/jobber/:id/oppslag", ownsTo},
	{"POST", "/k/:konto/jobber/:id/bare-nas", "401 404 422 404 403 404 403 404"},  // without a count
	{"POST", "/k/:konto/jobber/:id/rest-brev", "401 404 403 404 403 404 403 404"}, // the account has no shipments
	{"POST", "/k/:konto/jobber/:id/ta-med", ownsTo},
	{"GET", "/k/:konto/jobber/:id/kontroll", owns},
	{"POST", "/k/:konto/jobber/:id/send", "401 404 422 404 403 404 403 404"}, // without what the review showed
	{"POST", "/k/:konto/jobber/:id/forkast", ownsTo},
	{"POST", "/k/:konto/jobber/:id/trekk-tilbake", ownsTo},
	{"GET", "/k/:konto/godkjenning", approves},
	{"GET", "/k/:konto/godkjenning/:id", approves},
	{"POST", "/k/:konto/godkjenning/:id/godkjenn", "401 404 403 422 403 404 403 404"}, // without what the page showed
	{"POST", "/k/:konto/godkjenning/:id/returner", "401 404 403 422 403 404 403 404"}, // without a note
	{"GET", "/k/:konto/godkjenning/:id/dokumenter/:dokument", approves},
	{"GET", "/k/:konto/godkjenning/:id/dokumenter/:dokument/sider/:side", approves},
	{"GET", "/k/:konto/godkjenning/:id/flere/deler/:del", approves},
	{"GET", "/k/:konto/godkjenning/:id/flere/deler/:del/sider/:side", approves},
	{"POST", "/k/:konto/jobber/:id/pause", follows},
	{"POST", "/k/:konto/jobber/:id/fortsett", follows},
	{"POST", "/k/:konto/jobber/:id/stopp", follows},
	{"GET", "/k/:konto/jobber/:id/tidspunkt", follows}, // it is due: back to its page
	{"POST", "/k/:konto/jobber/:id/tidspunkt", follows},
	{"POST", "/k/:konto/jobber/:id/avgjor", follows},
	{"POST", "/k/:konto/jobber/:id/igjen", follows}, // a colleague's with a reason
	{"GET", "/k/:konto/jobber/:id/resultat.csv", sends},
	{"GET", "/k/:konto/jobber/:id/resultat.xlsx", sends},
	{"GET", "/k/:konto/pdf-hjelp", sends},
	{"GET", "/k/:konto/pdf-hjelp/brevmal.docx", sends},
	{"POST", "/k/:konto/forsendelser/ny", follows},
	{"GET", "/k/:konto/utkast", sends},
	{"GET", "/k/:konto/utkast/:id", owns},
	{"POST", "/k/:konto/utkast/:id", ownsTo},
	{"POST", "/k/:konto/utkast/:id/stand", "401 404 200 404 403 404 403 404"},
	{"POST", "/k/:konto/utkast/:id/dokumenter", "401 404 400 404 403 404 403 404"}, // the form has no files
	{"GET", "/k/:konto/utkast/:id/dokumenter/:dokument", owns},
	{"GET", "/k/:konto/utkast/:id/dokumenter/:dokument/sider/:side", owns}, // nothing draws here: a picture of that
	{"POST", "/k/:konto/utkast/:id/dokumenter/:dokument/opp", ownsTo},
	{"POST", "/k/:konto/utkast/:id/dokumenter/:dokument/ned", ownsTo},
	{"POST", "/k/:konto/utkast/:id/dokumenter/:dokument/fjern", ownsTo},
	{"POST", "/k/:konto/utkast/:id/dokumenter/:dokument/rydd", "401 404 422 404 403 404 403 404"}, // nothing can be removed here
	{"POST", "/k/:konto/utkast/:id/dokumenter/:dokument/opprinnelig", ownsTo},
	{"POST", "/k/:konto/utkast/:id/rekkefolge", "401 404 204 404 403 404 403 404"},
	{"POST", "/k/:konto/utkast/:id/forkast", ownsTo},
	{"POST", "/k/:konto/utkast/:id/trekk-tilbake", ownsTo},
	{"GET", "/k/:konto/utkast/:id/overlat", owns},
	{"POST", "/k/:konto/utkast/:id/overlat", "401 404 422 404 403 404 403 404"},    // without what the review showed    // to nobody
	{"POST", "/k/:konto/utkast/:id/ta-tilbake", "401 404 404 404 403 404 403 404"}, // it was not handed over
	{"GET", "/k/:konto/utkast/:id/mal", "401 404 403 404 403 404 403 404"},         // the draft is the caseworker's, who may not write templates
	{"POST", "/k/:konto/utkast/:id/mal", "401 404 403 404 403 404 403 404"},
	{"GET", "/k/:konto/utkast/:id/kontroll", owns},
	{"POST", "/k/:konto/utkast/:id/oppslag", owns},
	{"POST", "/k/:konto/utkast/:id/send", ownsTo},
	{"GET", "/k/:konto/utkast/:id/flere", owns},
	{"POST", "/k/:konto/utkast/:id/flere", ownsTo},
	{"POST", "/k/:konto/utkast/:id/flere/lesing", ownsTo},
	{"POST", "/k/:konto/utkast/:id/flere/liste", "401 404 400 404 403 404 403 404"}, // the form has no parts
	{"GET", "/k/:konto/utkast/:id/flere/feil", owns},
	{"POST", "/k/:konto/utkast/:id/flere/feil", ownsTo},
	{"GET", "/k/:konto/utkast/:id/flere/feil.csv", owns},
	{"GET", "/k/:konto/utkast/:id/flere/filer", owns},
	{"POST", "/k/:konto/utkast/:id/flere/filer", "401 404 400 404 403 404 403 404"}, // the form has no files
	{"POST", "/k/:konto/utkast/:id/flere/filer/fjern", ownsTo},
	{"GET", "/k/:konto/utkast/:id/flere/kan-nas", owns},
	{"POST", "/k/:konto/utkast/:id/flere/oppslag", ownsTo},
	{"GET", "/k/:konto/utkast/:id/flere/kontroll", owns},
	{"POST", "/k/:konto/utkast/:id/flere/sett", ownsTo},
	{"GET", "/k/:konto/utkast/:id/flere/deler/:del", owns},
	{"GET", "/k/:konto/utkast/:id/flere/deler/:del/sider/:side", owns},
	{"POST", "/k/:konto/utkast/:id/flere/send", "401 404 422 404 403 404 403 404"}, // without what the review showed
	{"POST", "/k/:konto/utkast/:id/flere/forkast", ownsTo},
	{"POST", "/k/:konto/jobber/:id/brev-igjen", follows}, // a colleague's with a reason
	{"POST", "/k/:konto/utkast/:id/mottakersystem", ownsTo},
	{"GET", "/k/:konto/mottakersystem", sends},
	{"GET", "/k/:konto/forsendelser/sok", sends},
	{"POST", "/k/:konto/forsendelser/sok", sends},
	{"GET", "/k/:konto/forsendelser", sees},
	{"GET", "/k/:konto/forsendelser/:id", sees},
	{"GET", "/k/:konto/forsendelser/:id/dokumentasjon", sees},
	{"GET", "/k/:konto/forsendelser/:id/feil-mottaker", sees},
	{"POST", "/k/:konto/forsendelser/:id/arkivpakke", "401 404 200 200 403 404 200 404"},
	{"GET", "/k/:konto/forsendelser/:id/arkivert", sends},
	{"POST", "/k/:konto/forsendelser/:id/arkivert", follows},
	{"GET", "/k/:konto/forsendelser/:id/person", sends},
	{"POST", "/k/:konto/forsendelser/:id/person", follows},
	{"GET", "/k/:konto/forsendelser/:id/lest", follows}, // it is not accepted: back to its page
	{"POST", "/k/:konto/forsendelser/:id/lest", follows},
	{"GET", "/k/:konto/forsendelser/:id/slett-dokumenter", follows}, // it is not accepted: back to its page
	{"POST", "/k/:konto/forsendelser/:id/slett-dokumenter", follows},
	{"POST", "/k/:konto/forsendelser/:id/avbryt", follows},
	{"GET", "/k/:konto/forsendelser/:id/tidspunkt", follows}, // it is due: back to its page
	{"POST", "/k/:konto/forsendelser/:id/tidspunkt", follows},
	{"POST", "/k/:konto/forsendelser/:id/bekreft", follows},
	{"POST", "/k/:konto/forsendelser/:id/send-igjen", follows},
	{"POST", "/k/:konto/forsendelser/:id/avgjor", follows},
	{"GET", "/k/:konto/forsendelser/:id/fulgt-opp", follows},
	{"POST", "/k/:konto/forsendelser/:id/fulgt-opp", follows},
	{"POST", "/k/:konto/forsendelser/:id/let-igjen", follows},
	{"GET", "/k/:konto/forsendelser/:id/behold", holds},
	{"POST", "/k/:konto/forsendelser/:id/behold", holding},
	{"POST", "/k/:konto/forsendelser/:id/kontroller", follows},
	{"POST", "/k/:konto/forsendelser/:id/sms", follows},    // a colleague's with a reason
	{"POST", "/k/:konto/forsendelser/:id/kopier", follows}, // a colleague's with a reason
	{"POST", "/k/:konto/forsendelser/:id/vis", reveals},
	{"GET", "/k/:konto/forsendelser/:id/apne", opens},
	{"POST", "/k/:konto/forsendelser/:id/apne", opens},
	{"GET", "/k/:konto/forsendelser/:id/dokumenter/:dokument", "401 404 200 403 403 404 403 404"}, // its sender's
	{"POST", "/k/:konto/forsendelser/:id/dokumenter/:dokument", reveals},
}

func TestRoutesAndRoles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	browsers := map[string]*browser{}
	for _, who := range everybody {
		browsers[who] = s.browser(t, who)
	}
	for _, r := range table {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			to := &target{row: r}
			for i, want := range strings.Fields(r.want) {
				who, b := everybody[i], browsers[everybody[i]]
				if r.path == "/logg-ut" || r.path == "/logg-inn" || r.path == "/oidc/retur" {
					b = s.browser(t, who) // what happens to its session is its own affair
				}
				form := fields()
				if r.method == http.MethodPost {
					form = whole()
				}
				got := s.ask(t, b, to, formType, form.Encode())
				if strconv.Itoa(got.StatusCode) != want {
					t.Errorf("%q: got %d, want %s", who, got.StatusCode, want)
				}
			}
		})
	}
}

// TestTableOfRoutes: every route must be in the table above.
func TestTableOfRoutes(t *testing.T) {
	t.Parallel()
	var want, got, heads []string
	for _, r := range table {
		want = append(want, r.method+" "+r.path)
		if n := len(strings.Fields(r.want)); n != len(everybody) {
			t.Errorf("%s %s: %d answers for %d people", r.method, r.path, n, len(everybody))
		}
	}
	for _, r := range newSite(t).echo.Routes() {
		switch r.Method {
		case echo.RouteNotFound:
		case http.MethodHead:
			heads = append(heads, "GET "+r.Path)
		default:
			got = append(got, r.Method+" "+r.Path)
		}
	}
	for _, r := range got {
		if !slices.Contains(want, r) {
			t.Errorf("%s is not in the table", r)
		}
		if strings.HasPrefix(r, "GET ") && !slices.Contains(heads, r) {
			t.Errorf("%s has no HEAD", r)
		}
	}
	for _, r := range want {
		if !slices.Contains(got, r) {
			t.Errorf("%s is in the table and gone", r)
		}
	}
}

// by is the user who requests a foreign object: a caseworker, or the team lead if caseworkers lack the right.
func (r row) by(own, lead *browser) *browser {
	if strings.Fields(r.want)[2] == strconv.Itoa(http.StatusForbidden) {
		return lead
	}
	return own
}

// TestForeignItems: another account's object, or another person's draft, is not found.
func TestForeignItems(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	tests := []struct {
		name string
		b    *browser
		id   func(t *testing.T) dispatch.ItemID
	}{
		{"another account's SMS", own, func(t *testing.T) dispatch.ItemID { return s.queued(t, outsider, message("Hemmelig")) }},
		{"another account's draft", own, func(t *testing.T) dispatch.ItemID { return s.draft(t, outsider, message("Hemmelig")) }},
		{"another person's draft", lead, func(t *testing.T) dispatch.ItemID { return s.draft(t, caseworker, message("Hemmelig")) }},
		{"an id that nothing has", own, func(*testing.T) dispatch.ItemID { return dispatch.ItemID(uuid.NewString()) }},
		{"an id that is none", own, func(*testing.T) dispatch.ItemID { return "1" }},
		{"an id with a zero byte", own, func(*testing.T) dispatch.ItemID { return "%00" }},
		{"an id in braces", own, func(*testing.T) dispatch.ItemID { return dispatch.ItemID("%7B" + uuid.NewString() + "%7D") }},
		{"an id without dashes", own, func(*testing.T) dispatch.ItemID {
			return dispatch.ItemID(strings.ReplaceAll(uuid.NewString(), "-", ""))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range table {
				if !ofSMS(r) {
					continue
				}
				id := test.id(t)
				address := strings.NewReplacer(":konto", "oppvekst", ":id", string(id)).Replace(r.path)
				got := r.by(test.b, lead).do(r.method, address, formType, fields("valg", "sent", "tekst", "Hei", "telefonnummer", "90000123").Encode())
				if got.StatusCode != http.StatusNotFound || strings.Contains(got.body, "Hemmelig") {
					t.Errorf("%s %s: got %d, want 404 and no word of it", r.method, r.path, got.StatusCode)
				}
			}
		})
	}
}
