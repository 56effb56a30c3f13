package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// access is who may use a route.
type access string

// The kinds of access. On an account or in the system, a right is asked for besides.
const (
	public   access = "public"
	signedIn access = "signed in"
	account  access = "account"
	system   access = "system"
	audited  access = "audited" // in the system, or on an account: what is shown follows from where
)

// route is one line of the table of routes: what it takes to get in stands beside it.
type route struct {
	Method, Path string
	Access       access
	Right        dispatch.Right
	handle       echo.HandlerFunc
}

// on registers a route of an account, which its members with the right may use.
func on(method, path string, r dispatch.Right, h func(echo.Context, visit) error) func(*server) route {
	return func(s *server) route {
		return route{method, "/k/:konto" + path, account, r, s.onAccount(r, h)}
	}
}

// onList registers a list of an account's items, which reads what the navigation counts with the rest.
func onList(path string, h func(echo.Context, visit) error) func(*server) route {
	const see = dispatch.RightSeeItems
	return func(s *server) route {
		return route{http.MethodGet, "/k/:konto" + path, account, see, s.inAccount(see, h)}
	}
}

// routes is every address of the application.
func (s *server) routes() []route {
	const (
		get, post = http.MethodGet, http.MethodPost
		see       = dispatch.RightSeeItems
		send      = dispatch.RightSendSMS
		letter    = dispatch.RightSendShipments
		templates = dispatch.RightSeeTemplates
		write     = dispatch.RightEditTemplates
		followUp  = dispatch.RightFollowUp
		lookup    = dispatch.RightLookup
		open      = dispatch.RightOpenOthers
		operate   = dispatch.RightOperate
		manage    = dispatch.RightAdminister
	)
	byAdmin := func(method, path string, h func(echo.Context, visit) error) route {
		return route{method, path, system, manage, s.onSystem(manage, h)}
	}
	inSystem := func(method, path string, h func(echo.Context, visit) error) route {
		return route{method, path, system, operate, s.onSystem(operate, h)}
	}
	byAuditor := func(method, path string, h func(echo.Context, visit) error) route {
		return route{method, path, audited, dispatch.RightAudit, s.audits(h)}
	}
	list := []route{
		{get, "/healthz", public, "", s.healthz},
		{get, "/readyz", public, "", s.readyz},
		{get, "/static/*", public, "", echo.WrapHandler(s.o.Assets.Handler())},
		{get, "/logg-inn", public, "", s.limited(s.login)},
		{get, "/oidc/retur", public, "", s.limited(s.loginReturn)},
		{get, "/oidc/utlogging", public, "", s.limited(s.endByProvider)},
		{get, "/logg-inn/igjen", signedIn, "", s.signedIn(s.loginAgain)},
		{get, "/logget-ut", public, "", s.loggedOut},
		{get, "/", signedIn, "", s.orLogin(s.signedIn(s.start))},
		{get, "/kontoer", signedIn, "", s.signedIn(s.accounts)},
		{get, "/ordliste", signedIn, "", s.signedIn(s.dictionary)},
		{get, "/hjelp", public, "", s.article("help.title", views.Help)},
		{get, "/personvern", public, "", s.article("privacy.title", views.Privacy)},
		{get, "/tilgjengelighet", public, "", s.article("accessibility.title", views.Accessibility)},
		{get, "/driftsstatus", signedIn, "", s.signedIn(s.showStatus)},
		inSystem(get, "/admin/tilstand", s.showHealth),
		{get, "/min-side/visning", signedIn, "", s.signedIn(s.display)},
		{post, "/min-side/visning", signedIn, "", s.signedIn(s.saveDisplay)},
		{get, signInsPath, signedIn, "", s.signedIn(s.showSignIns)},
		{post, signInsPath + "/avslutt", signedIn, "", s.signedIn(s.endOthers)},
		{post, "/min-side/fortsett", signedIn, "", s.signedIn(s.stay)},
		{post, "/logg-ut", signedIn, "", s.signedIn(s.logout)},
		inSystem(get, "/admin/levering", s.showDelivery),
		inSystem(post, "/admin/levering/pause", s.pauseDelivery),
		inSystem(post, "/admin/levering/start", s.resumeDelivery),
		inSystem(post, "/admin/levering/gjenopprettet/:konto", s.decideRestored),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer", s.clearRefusal(s.operated)),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer/:konto", s.clearRefusal(s.operated)),
		inSystem(post, "/admin/levering/integrasjoner/:id/stopp", s.stopIntegration(s.operated)),
		inSystem(post, "/admin/levering/integrasjoner/:id/apne", s.openIntegration(s.operated)),
		byAdmin(get, "/admin/integrasjoner", s.listIntegrations),
		byAdmin(get, "/admin/integrasjoner/ny", s.newIntegration),
		byAdmin(post, "/admin/integrasjoner/ny", s.createIntegration),
		byAdmin(get, "/admin/integrasjoner/:id", s.showIntegration),
		byAdmin(get, "/admin/integrasjoner/:id/endre", s.editIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/endre", s.saveIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/prov", s.tryIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/stopp", s.stopIntegration(s.onIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/apne", s.openIntegration(s.onIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/klarer", s.clearRefusal(s.onIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/slett", s.deleteIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat", s.saveCertificate),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat/fjern", s.removeCertificate),
		byAdmin(get, "/admin/integrasjoner/:id/tilgang", s.fresh(s.enterCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang", s.fresh(s.saveCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/prov", s.trySet),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/bruk", s.fresh(s.useSet)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/slett", s.fresh(s.wipeSet)),
		byAdmin(get, "/admin/kontoer", s.listAccounts),
		byAdmin(get, "/admin/kontoer/ny", s.newAccount),
		byAdmin(post, "/admin/kontoer/ny", s.createAccount),
		byAdmin(get, "/admin/kontoer/:konto", s.editAccount),
		byAdmin(post, "/admin/kontoer/:konto", s.saveAccount),
		byAdmin(post, "/admin/kontoer/:konto/deaktiver", s.disableAccount(true)),
		byAdmin(post, "/admin/kontoer/:konto/aktiver", s.disableAccount(false)),
		byAdmin(get, "/admin/kontoer/:konto/bytt", s.chooseSwitch),
		byAdmin(get, "/admin/kontoer/:konto/pdf", s.editPrintRules),
		byAdmin(post, "/admin/kontoer/:konto/pdf", s.savePrintRules),
		byAdmin(post, "/admin/kontoer/:konto/bytt", s.switchShipments),
		byAdmin(post, "/admin/kontoer/:konto/bytt/prov", s.trySwitch),
		{get, reviewPath, system, "", s.onReview(s.showAccessReview)},
		byAdmin(post, reviewPath, s.signReview),
		byAdmin(get, "/admin/rettigheter", s.showRights),
		byAdmin(post, "/admin/rettigheter", s.addRight),
		byAdmin(post, "/admin/rettigheter/fjern", s.removeRight),
		byAuditor(get, retentionPath, s.showRetention),
		byAdmin(post, retentionPath, s.saveRetention),
		byAuditor(get, "/admin/innsyn", s.askCitizen),
		byAuditor(post, "/admin/innsyn", s.reportCitizen),
		byAuditor(get, "/admin/logg", s.showLog),
		byAuditor(post, "/admin/logg/kontroller", s.verifyLog),
		byAuditor(get, "/admin/logg.csv", s.logCSV),
		byAuditor(get, "/admin/logg.jsonl", s.logJSON),
	}
	for _, r := range []func(*server) route{
		on(get, "/", see, s.showOverview),
		on(get, "/ledelse", dispatch.RightLead, s.showLead),
		on(get, "/ledelse.csv", dispatch.RightLead, s.leadCSV),
		on(get, "/oppfolging", see, s.listFollowUps),
		on(post, "/oppfolging/valg", followUp, s.chooseFollowUps),
		on(post, "/oppfolging/lagre", followUp, s.handleFollowUps),
		onList("/utsendinger", s.listItems("")),
		on(get, "/utsendinger/handling/:handling", followUp, s.askBulk),
		on(post, "/utsendinger/handling/:handling", followUp, s.doBulk),
		on(post, "/sok", see, s.search),
		on(post, "/sok-person", followUp, s.searchPerson),
		onList("/sok/:sok", s.showSearch),
		on(get, "/eksport", see, s.askExport),
		on(post, "/eksport", see, s.orderExport),
		on(get, "/eksport/:eksport", see, s.showExport),
		on(get, "/eksport/:eksport/fil", see, s.fetchExport),
		on(post, "/filtre", see, s.saveFilter),
		on(post, "/filtre/:id/slett", see, s.deleteFilter),
		onList("/sms", s.listItems(dispatch.KindSMS)),
		on(get, "/sms/ny", send, s.newSMS),
		on(post, "/sms/ny", send, s.createSMS),
		on(get, "/sms/ny/flere", send, s.newJob),
		on(post, "/sms/ny/flere", send, s.createJob),
		on(post, "/sms/teller", send, s.countSMS),
		on(post, "/sms/sjekk", send, s.checkField),
		on(get, "/sms/uavklart", see, s.listUncertain),
		on(post, "/sms/uavklart", followUp, s.decideMany),
		on(get, "/sms/:id", see, s.showSMS),
		on(get, "/sms/:id/dokumentasjon", see, s.proveSMS),
		on(get, "/sms/:id/endre", send, s.editSMS),
		on(post, "/sms/:id/endre", send, s.changeSMS),
		on(get, "/sms/:id/kontroll", send, s.reviewSMS),
		on(post, "/sms/:id/send", send, s.sendSMS),
		on(post, "/sms/:id/forkast", send, s.discardSMS),
		on(post, "/sms/:id/kopier", send, s.copySMS),
		on(post, "/sms/:id/avbryt", followUp, s.cancelSMS),
		on(get, "/sms/:id/tidspunkt", followUp, s.editSMSTime),
		on(post, "/sms/:id/tidspunkt", followUp, s.changeSMSTime),
		on(post, "/sms/:id/bekreft", followUp, s.confirmSMS),
		on(post, "/sms/:id/send-igjen", followUp, s.sendSMSAgain),
		on(post, "/sms/:id/avgjor", followUp, s.decideSMS),
		on(get, "/sms/:id/fulgt-opp", followUp, s.editFollowUp(smsPages, s.smsItem)),
		on(post, "/sms/:id/fulgt-opp", followUp, s.saveFollowUp(smsPages, s.smsItem)),
		on(get, "/sms/:id/behold", dispatch.RightHold, s.showHold(smsPages, s.smsItem)),
		on(post, "/sms/:id/behold", dispatch.RightHold, s.changeHold(smsPages, s.smsItem)),
		on(post, "/sms/:id/kontroller", followUp, s.checkNow(smsPages, s.smsItem)),
		on(post, "/sms/:id/brev", letter, s.asLetter),
		on(post, "/sms/:id/vis", see, revealNumber(s, s.smsContent())),
		on(get, "/sms/:id/apne", open, s.askOpen(smsPages, s.smsItem)),
		on(post, "/sms/:id/apne", open, openContent(s, s.smsContent())),
		on(get, "/innstillinger", dispatch.RightSettings, s.editAccount),
		on(post, "/innstillinger", dispatch.RightSettings, s.saveAccount),
		on(get, "/innstillinger/pdf", dispatch.RightSettings, s.editPrintRules),
		on(post, "/innstillinger/pdf", dispatch.RightSettings, s.savePrintRules),
		on(get, "/maler", templates, s.listTemplates),
		on(get, "/maler/ny", write, s.newTemplate),
		on(post, "/maler/ny", write, s.createTemplate),
		on(post, "/maler/teller", write, s.countTemplate),
		on(get, "/maler/:id", templates, s.showTemplate),
		on(get, "/maler/:id/endre", write, s.editTemplate),
		on(post, "/maler/:id/endre", write, s.saveTemplate),
		on(post, "/maler/:id/arkiver", write, s.archiveTemplate(true)),
		on(post, "/maler/:id/aktiver", write, s.archiveTemplate(false)),
		on(get, "/maler/:id/versjoner/:versjon", templates, s.showTemplateVersion),
		on(post, "/maler/:id/versjoner/:versjon/tilbake", write, s.restoreTemplate),
		on(get, "/oppslag", lookup, s.showLookup),
		on(post, "/oppslag", lookup, s.lookUp),
		on(post, "/oppslag/igjen", lookup, s.lookUpAgain),
		on(post, "/oppslag/glem", lookup, s.forgetLookup),
		on(post, "/oppslag/sms", send, s.sendToFound),
		on(get, "/jobber", see, s.listJobs),
		on(get, "/jobber/:id", see, s.showJob),
		on(get, "/jobber/:id/endre", send, s.editJob),
		on(post, "/jobber/:id/endre", send, s.saveJobText),
		on(post, "/jobber/:id/liste", send, s.replaceList),
		on(post, "/jobber/:id/lesing", send, s.readListAgain),
		on(get, "/jobber/:id/feil", send, s.showFaults),
		on(post, "/jobber/:id/feil", send, s.fixFaults),
		on(get, "/jobber/:id/feil.csv", send, s.faultsFile),
		on(get, "/jobber/:id/kontroll", send, s.reviewJob),
		on(post, "/jobber/:id/send", send, s.sendJob),
		on(post, "/jobber/:id/forkast", send, s.discardJob),
		on(post, "/jobber/:id/pause", followUp, s.actOnJob(s.o.Store.PauseJob, "flash.job_paused")),
		on(post, "/jobber/:id/fortsett", followUp, s.actOnJob(s.o.Store.ResumeJob, "flash.job_resumed")),
		on(post, "/jobber/:id/stopp", followUp, s.actOnJob(s.o.Store.StopJob, "flash.job_stopped")),
		on(get, "/jobber/:id/tidspunkt", followUp, s.editJobTime),
		on(post, "/jobber/:id/tidspunkt", followUp, s.changeJobTime),
		on(post, "/jobber/:id/avgjor", followUp, s.decideJob),
		on(post, "/jobber/:id/igjen", send, s.repeatJob),
		on(get, "/jobber/:id/resultat.csv", followUp, s.resultCSV),
		on(get, "/jobber/:id/resultat.xlsx", followUp, s.resultXLSX),
		on(post, "/forsendelser/ny", letter, s.newShipment),
		on(get, "/utkast", letter, s.listDrafts),
		on(get, "/utkast/:id", letter, s.editDraft),
		on(post, "/utkast/:id", letter, s.saveDraft),
		on(post, "/utkast/:id/stand", letter, s.showStand),
		on(post, "/utkast/:id/dokumenter", letter, s.uploadDocuments),
		on(get, draftFileRoute, letter, s.draftFile),
		on(get, draftFileRoute+pictureRoute, letter, s.draftPicture),
		on(post, "/utkast/:id/dokumenter/:dokument/opp", letter, s.moveDocument(-1)),
		on(post, "/utkast/:id/dokumenter/:dokument/ned", letter, s.moveDocument(1)),
		on(post, "/utkast/:id/dokumenter/:dokument/fjern", letter, s.removeDocument()),
		on(post, "/utkast/:id/rekkefolge", letter, s.orderDocuments),
		on(post, "/utkast/:id/forkast", letter, s.discardDraft),
		on(get, "/utkast/:id/overlat", letter, s.askHandOver),
		on(post, "/utkast/:id/overlat", letter, s.handOver),
		on(post, "/utkast/:id/ta-tilbake", letter, s.takeBack),
		on(get, "/utkast/:id/mal", letter, s.newLetterTemplate),
		on(post, "/utkast/:id/mal", letter, s.saveLetterTemplate),
		on(get, "/utkast/:id/kontroll", letter, s.reviewDraft),
		on(post, "/utkast/:id/send", letter, s.sendShipment),
		on(get, "/utkast/:id/flere", letter, s.editLetters),
		on(post, "/utkast/:id/flere", letter, s.saveLetters),
		on(post, "/utkast/:id/flere/liste", letter, s.takeLetterList),
		on(post, "/utkast/:id/flere/lesing", letter, s.readLettersAgain),
		on(get, "/utkast/:id/flere/feil", letter, s.showLetterFaults),
		on(post, "/utkast/:id/flere/feil", letter, s.fixLetterFaults),
		on(get, "/utkast/:id/flere/feil.csv", letter, s.letterFaultsFile),
		on(get, "/utkast/:id/flere/kontroll", letter, s.reviewLetters),
		on(get, "/utkast/:id/flere/deler/:del", letter, s.letterPart),
		on(get, "/utkast/:id/flere/deler/:del"+pictureRoute, letter, s.partPicture),
		on(post, "/utkast/:id/flere/sett", letter, s.seeParts),
		on(post, "/utkast/:id/flere/send", letter, s.sendLetters),
		on(post, "/utkast/:id/flere/forkast", letter, s.dropLetters),
		on(post, "/jobber/:id/brev-igjen", letter, s.repeatLetters),
		on(post, "/utkast/:id/mottakersystem", letter, s.useReceiver),
		on(get, "/mottakersystem", letter, s.listReceivers),
		on(get, "/forsendelser/sok", followUp, s.searchReference),
		on(post, "/forsendelser/sok", followUp, s.findReference),
		onList("/forsendelser", s.listItems(dispatch.KindShipment)),
		on(get, "/forsendelser/:id", see, s.showShipment),
		on(get, "/forsendelser/:id/dokumentasjon", see, s.proveShipment),
		on(get, "/forsendelser/:id/lest", followUp, s.askRead),
		on(post, "/forsendelser/:id/lest", followUp, s.markRead),
		on(get, "/forsendelser/:id/slett-dokumenter", letter, s.askDeleteDocuments),
		on(post, "/forsendelser/:id/slett-dokumenter", letter, s.deleteDocuments),
		on(post, "/forsendelser/:id/avbryt", followUp, s.cancelShipment),
		on(get, "/forsendelser/:id/tidspunkt", followUp, s.editShipmentTime),
		on(post, "/forsendelser/:id/tidspunkt", followUp, s.changeShipmentTime),
		on(post, "/forsendelser/:id/bekreft", followUp, s.confirmShipment),
		on(post, "/forsendelser/:id/send-igjen", followUp, s.sendShipmentAgain),
		on(post, "/forsendelser/:id/avgjor", followUp, s.decideShipment),
		on(get, "/forsendelser/:id/fulgt-opp", followUp, s.editFollowUp(shipmentPages, s.shipmentItem)),
		on(post, "/forsendelser/:id/fulgt-opp", followUp, s.saveFollowUp(shipmentPages, s.shipmentItem)),
		on(get, "/forsendelser/:id/behold", dispatch.RightHold, s.showHold(shipmentPages, s.shipmentItem)),
		on(post, "/forsendelser/:id/behold", dispatch.RightHold, s.changeHold(shipmentPages, s.shipmentItem)),
		on(post, "/forsendelser/:id/kontroller", followUp, s.checkNow(shipmentPages, s.shipmentItem)),
		on(post, "/forsendelser/:id/sms", send, s.bySMS),
		on(post, "/forsendelser/:id/let-igjen", followUp, s.lookAgain),
		on(post, "/forsendelser/:id/kopier", dispatch.RightSendShipments, s.copyShipment),
		on(post, "/forsendelser/:id/vis", see, revealNumber(s, s.shipmentContent())),
		on(get, "/forsendelser/:id/apne", open, s.askOpen(shipmentPages, s.shipmentItem)),
		on(post, "/forsendelser/:id/apne", open, openContent(s, s.shipmentContent())),
		on(get, shipmentFileRoute, see, s.shipmentFile),
		on(post, shipmentFileRoute, open, s.paced(s.shipmentFile)),
	} {
		list = append(list, r(s))
	}
	return list
}

// framedRoutes are public, and need the session all the same: to log in, or to keep the frame of those who are.
var framedRoutes = []string{"/logg-inn", "/oidc/retur", "/hjelp", "/personvern", "/tilgjengelighet"}

// uploadRoutes are the routes whose body may be large; they bound it themselves.
var uploadRoutes = []string{"/k/:konto/utkast/:id/dokumenter", "/k/:konto/sms/ny/flere", "/k/:konto/jobber/:id/liste", "/k/:konto/utkast/:id/flere/liste"}

// register puts the table of routes in force. Only what a page shows needs the session; the rest does without. What can
// be asked for can be asked about: HEAD goes wherever GET does.
func (s *server) register(e *echo.Echo) {
	withSession := s.withSession(e)
	for _, r := range s.routes() {
		methods := []string{r.Method}
		if r.Method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		if r.Access == public && !slices.Contains(framedRoutes, r.Path) {
			e.Match(methods, r.Path, r.handle)
			continue
		}
		e.Match(methods, r.Path, r.handle, withSession)
	}
	e.RouteNotFound("/*", func(c echo.Context) error {
		_, _ = s.user(c) // only for the frame of the page, which does without
		return echo.ErrNotFound
	}, withSession)
}

// withSession reads the session before a handler, and writes it back after it.
func (s *server) withSession(e *echo.Echo) echo.MiddlewareFunc {
	return echo.WrapMiddleware(s.o.Session.Load(func(w http.ResponseWriter, r *http.Request, err error) {
		s.handleError(err, e.NewContext(r, w))
	}))
}
