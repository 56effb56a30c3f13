package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/handlers/admin"
	"utsending/internal/handlers/compose"
	"utsending/internal/handlers/follow"
	"utsending/internal/handlers/frame"
	"utsending/internal/store/items"
	"utsending/internal/views/site"
)

// access tells who may use a route.
type access string

// The kinds of access. Routes of an account or the system also require a right.
const (
	public   access = "public"
	signedIn access = "signed in"
	account  access = "account"
	system   access = "system"
	audited  access = "audited" // a right in the system or on any account; the pages show only what it covers
)

// route is one row of the table of routes, with the access that it requires.
type route struct {
	Method, Path string
	Access       access
	Right        dispatch.Right
	handle       echo.HandlerFunc
}

// on registers a route of an account, for its members with the right.
func on(method, path string, r dispatch.Right, h func(echo.Context, frame.Visit) error) func(*server) route {
	return func(s *server) route {
		return route{method, "/k/:konto" + path, account, r, s.frame.OnAccount(r, h)}
	}
}

// onList registers a list of an account's items, which reads the navigation's count together with its rows.
func onList(path string, h func(echo.Context, frame.Visit) error) func(*server) route {
	const see = dispatch.RightSeeItems
	return func(s *server) route {
		return route{http.MethodGet, "/k/:konto" + path, account, see, s.frame.InAccount(see, h)}
	}
}

// routes is the table of all routes.
func (s *server) routes() []route {
	const (
		get, post = http.MethodGet, http.MethodPost
		see       = dispatch.RightSeeItems
		send      = dispatch.RightSendSMS
		shipment  = dispatch.RightSendShipments
		templates = dispatch.RightSeeTemplates
		write     = dispatch.RightEditTemplates
		followUp  = dispatch.RightFollowUp
		lookup    = dispatch.RightLookup
		approve   = dispatch.RightApprove
		lead      = dispatch.RightLead
		operate   = dispatch.RightOperate
		manage    = dispatch.RightAdminister
	)
	byAdmin := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, system, manage, s.frame.OnSystem(manage, h)}
	}
	inSystem := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, system, operate, s.frame.OnSystem(operate, h)}
	}
	byAuditor := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, audited, dispatch.RightAudit, s.admin.Audits(h)}
	}
	list := []route{
		{get, "/healthz", public, "", s.site.Healthz},
		{get, "/readyz", public, "", s.site.Readyz},
		{get, "/static/*", public, "", echo.WrapHandler(s.o.Assets.Handler())},
		{get, frame.ThemeSheetPath, public, "", s.frame.ThemeSheet},
		{get, frame.ThemeLogoPath, public, "", s.frame.ThemeLogo},
		{get, "/logg-inn", public, "", s.site.Limited(s.site.Login)},
		{get, "/oidc/retur", public, "", s.site.Limited(s.site.LoginReturn)},
		{get, "/oidc/utlogging", public, "", s.site.Limited(s.site.EndByProvider)},
		{get, "/logg-inn/igjen", signedIn, "", s.frame.SignedIn(s.frame.LoginAgain)},
		{get, "/logget-ut", public, "", s.site.LoggedOut},
		{get, "/", signedIn, "", s.site.OrLogin(s.frame.SignedIn(s.site.Start))},
		{get, "/kontoer", signedIn, "", s.frame.SignedIn(s.site.Accounts)},
		{get, "/ordliste", signedIn, "", s.frame.SignedIn(s.site.Dictionary)},
		{get, "/kom-i-gang", signedIn, "", s.frame.SignedIn(s.site.Tour)},
		{get, "/nytt", public, "", s.site.Article("news.title", site.News)},
		{get, "/hjelp", public, "", s.site.Article("help.title", site.Help)},
		{get, "/hjelp/brevmal.docx", public, "", s.compose.PDFHelp.PublicWordTemplate},
		{get, "/personvern", public, "", s.site.Privacy},
		{get, "/tilgjengelighet", public, "", s.site.Article("accessibility.title", site.Accessibility)},
		{get, "/driftsstatus", signedIn, "", s.frame.SignedIn(s.admin.ShowStatus)},
		inSystem(get, "/admin/tilstand", s.admin.ShowHealth),
		inSystem(get, "/admin/varsler", s.admin.ShowAlarms),
		inSystem(post, "/admin/varsler/prov", s.admin.TryChannels),
		{get, "/min-side/visning", signedIn, "", s.frame.SignedIn(s.site.Display)},
		{post, "/min-side/visning", signedIn, "", s.frame.SignedIn(s.site.SaveDisplay)},
		{get, frame.SignInsPath, signedIn, "", s.frame.SignedIn(s.site.ShowSignIns)},
		{post, frame.SignInsPath + "/avslutt", signedIn, "", s.frame.SignedIn(s.site.EndOthers)},
		{get, "/min-side/varsler", signedIn, "", s.frame.SignedIn(s.site.ShowNotices)},
		{post, "/min-side/varsler", signedIn, "", s.frame.SignedIn(s.site.SaveNotices)},
		{post, "/min-side/varsler/prov", signedIn, "", s.frame.SignedIn(s.site.TryNotices)},
		{post, "/min-side/fortsett", signedIn, "", s.frame.SignedIn(s.site.Stay)},
		{post, "/logg-ut", signedIn, "", s.frame.SignedIn(s.site.Logout)},
		inSystem(get, "/admin/levering", s.admin.ShowDelivery),
		inSystem(get, "/admin/levering/pause", s.admin.Confirm(s.admin.PauseDelivery)),
		inSystem(post, "/admin/levering/pause", s.admin.Confirm(s.admin.PauseDelivery)),
		inSystem(post, "/admin/levering/start", s.admin.ResumeDelivery),
		inSystem(post, "/admin/levering/gjenopprettet/:konto", s.admin.DecideRestored),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer", s.admin.ClearRefusal(admin.FromDelivery)),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer/:konto", s.admin.ClearRefusal(admin.FromDelivery)),
		inSystem(get, "/admin/levering/integrasjoner/:id/stopp", s.admin.Confirm(s.admin.StopIntegration(admin.FromDelivery))),
		inSystem(post, "/admin/levering/integrasjoner/:id/stopp", s.admin.Confirm(s.admin.StopIntegration(admin.FromDelivery))),
		inSystem(get, "/admin/levering/integrasjoner/:id/apne", s.admin.Confirm(s.admin.OpenIntegration(admin.FromDelivery))),
		inSystem(post, "/admin/levering/integrasjoner/:id/apne", s.admin.Confirm(s.admin.OpenIntegration(admin.FromDelivery))),
		inSystem(get, admin.ReconciliationsPath, s.admin.ShowReconciliations),
		inSystem(post, admin.ReconciliationsPath, s.admin.Reconcile),
		inSystem(get, admin.ReconciliationsPath+"/:id", s.admin.ShowReconciliation),
		inSystem(get, "/admin/godkjenning", s.admin.ListActRequests),
		inSystem(post, "/admin/godkjenning/:id/godkjenn", s.frame.Fresh(s.admin.ApproveAct)),
		inSystem(post, "/admin/godkjenning/:id/avvis", s.admin.RefuseAct),
		inSystem(post, "/admin/godkjenning/:id/trekk", s.admin.WithdrawAct),
		byAdmin(get, "/admin/utseende", s.admin.ShowAppearance),
		byAdmin(post, "/admin/utseende", s.admin.SaveAppearance),
		byAdmin(get, "/admin/integrasjoner", s.admin.ListIntegrations),
		byAdmin(get, "/admin/integrasjoner/ny", s.admin.NewIntegration),
		byAdmin(post, "/admin/integrasjoner/ny", s.admin.CreateIntegration),
		byAdmin(get, "/admin/integrasjoner/:id", s.admin.ShowIntegration),
		byAdmin(get, "/admin/integrasjoner/:id/endre", s.admin.EditIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/endre", s.admin.SaveIntegration),
		byAdmin(post, "/admin/integrasjoner/:id/prov", s.admin.TryIntegration),
		byAdmin(get, "/admin/integrasjoner/:id/stopp", s.admin.Confirm(s.admin.StopIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/stopp", s.admin.Confirm(s.admin.StopIntegration(admin.FromIntegration))),
		byAdmin(get, "/admin/integrasjoner/:id/apne", s.admin.Confirm(s.admin.OpenIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/apne", s.admin.Confirm(s.admin.OpenIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/klarer", s.admin.ClearRefusal(admin.FromIntegration)),
		byAdmin(get, "/admin/integrasjoner/:id/slett", s.admin.Confirm(s.admin.DeleteIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/slett", s.admin.Confirm(s.admin.DeleteIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat", s.admin.SaveCertificate),
		byAdmin(get, "/admin/integrasjoner/:id/sertifikat/fjern", s.admin.Confirm(s.admin.RemoveCertificate)),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat/fjern", s.admin.Confirm(s.admin.RemoveCertificate)),
		byAdmin(get, "/admin/integrasjoner/:id/tilgang", s.frame.Fresh(s.admin.EnterCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang", s.frame.Fresh(s.admin.SaveCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/prov", s.admin.TrySet),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/bruk", s.frame.Fresh(s.admin.UseSet)),
		byAdmin(get, "/admin/integrasjoner/:id/tilgang/:sett/slett", s.admin.Confirm(s.admin.WipeSet)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/slett", s.admin.Confirm(s.admin.WipeSet)),
		byAdmin(get, "/admin/generasjoner", s.admin.ShowGenerations),
		byAdmin(post, "/admin/generasjoner", s.admin.MoveAccounts),
		byAdmin(post, "/admin/generasjoner/prov", s.admin.TryMoves),
		byAdmin(get, "/admin/kontoer", s.admin.ListAccounts),
		byAdmin(get, "/admin/bruk", s.admin.ShowUsage),
		byAdmin(get, "/admin/kontoer/ny", s.admin.NewAccount),
		byAdmin(post, "/admin/kontoer/ny", s.admin.CreateAccount),
		byAdmin(get, "/admin/kontoer/:konto", s.admin.EditAccount),
		byAdmin(post, "/admin/kontoer/:konto", s.admin.SaveAccount),
		byAdmin(get, "/admin/kontoer/:konto/deaktiver", s.admin.Confirm(s.admin.DisableAccount)),
		byAdmin(post, "/admin/kontoer/:konto/deaktiver", s.admin.Confirm(s.admin.DisableAccount)),
		byAdmin(post, "/admin/kontoer/:konto/aktiver", s.admin.EnableAccount),
		byAdmin(get, "/admin/kontoer/:konto/bytt", s.admin.ChooseSwitch),
		byAdmin(get, "/admin/kontoer/:konto/pdf", s.admin.EditPrintRules),
		byAdmin(post, "/admin/kontoer/:konto/pdf", s.admin.SavePrintRules),
		byAdmin(get, "/admin/kontoer/:konto/varsler", s.admin.EditAccountAlarms),
		byAdmin(post, "/admin/kontoer/:konto/varsler/feil", s.admin.SaveFailing),
		byAdmin(post, "/admin/kontoer/:konto/varsler/chat", s.frame.Fresh(s.admin.SaveChat)),
		byAdmin(post, "/admin/kontoer/:konto/varsler/prov", s.admin.TryChat),
		byAdmin(post, "/admin/kontoer/:konto/bytt", s.admin.SwitchShipments),
		byAdmin(post, "/admin/kontoer/:konto/bytt/prov", s.admin.TrySwitch),
		{get, admin.ReviewPath, system, "", s.admin.OnReview(s.admin.ShowAccessReview)},
		byAdmin(post, admin.ReviewPath, s.admin.SignReview),
		byAdmin(get, "/admin/rettigheter", s.admin.ShowRights),
		byAdmin(post, "/admin/rettigheter", s.frame.Fresh(s.admin.AddRight)),
		byAdmin(get, "/admin/rettigheter/:id/fjern", s.admin.Confirm(s.admin.RemoveRight)),
		byAdmin(post, "/admin/rettigheter/:id/fjern", s.admin.Confirm(s.admin.RemoveRight)),
		byAuditor(get, admin.RetentionPath, s.admin.ShowRetention),
		byAdmin(post, admin.RetentionPath, s.frame.Fresh(s.admin.SaveRetention)),
		byAuditor(get, "/admin/innsyn", s.admin.AskCitizen),
		byAuditor(post, "/admin/innsyn", s.admin.ReportCitizen),
		byAuditor(get, "/admin/logg", s.admin.ShowLog),
		byAuditor(post, "/admin/logg/kontroller", s.admin.VerifyLog),
		byAuditor(get, "/admin/logg.csv", s.admin.LogCSV),
		byAuditor(get, "/admin/logg.jsonl", s.admin.LogJSON),
	}
	for _, r := range []func(*server) route{
		on(get, "", see, s.follow.ToOverview),
		on(get, "/", see, s.follow.ShowOverview),
		on(get, "/ledelse", dispatch.RightLead, s.follow.ShowLead),
		on(get, "/ledelse.csv", dispatch.RightLead, s.follow.LeadCSV),
		on(get, "/oppfolging", see, s.follow.ListFollowUps),
		on(get, "/fravar", followUp, s.follow.ShowAbsences),
		on(post, "/fravar", followUp, s.follow.SaveAbsence),
		on(post, "/fravar/avslutt", followUp, s.follow.EndAbsence),
		on(get, "/skjermede", lead, s.follow.ShowProtected),
		on(post, "/skjermede", lead, s.follow.Protect),
		on(get, "/skjermede/:id", lead, s.follow.EditProtected),
		on(post, "/skjermede/:id/navngitte", lead, s.follow.NameViewers),
		on(post, "/skjermede/:id/opphev", lead, s.follow.EndProtection),
		on(get, "/overlat", lead, s.follow.AskHandOverAll),
		on(post, "/overlat", lead, s.follow.HandOverAll),
		on(post, "/oppfolging/ta", followUp, s.follow.TakeFollowUp),
		onList("/utsendinger", s.follow.ListItems("")),
		on(post, "/utvalg", followUp, s.follow.AskBulk),
		on(post, "/utvalg/lagre", followUp, s.follow.DoBulk),
		on(get, "/utvalg/:utvalg", followUp, s.follow.ShowBulk),
		on(post, "/sok", see, s.follow.Search),
		on(post, "/sok-person", followUp, s.follow.SearchPerson),
		onList("/sok/:sok", s.follow.ShowSearch),
		on(get, "/sok/:sok/person", followUp, s.follow.AskPerson(s.follow.PersonOfSearch)),
		on(post, "/sok/:sok/person", followUp, s.follow.BeginPerson(s.follow.PersonOfSearch)),
		on(get, "/mottaker/:sok", followUp, s.follow.ShowPerson),
		on(get, "/arkiv", followUp, s.follow.ShowArchive),
		on(post, "/arkiv", followUp, s.follow.PackDay),
		on(get, "/eksport", see, s.follow.AskExport),
		on(post, "/eksport", see, s.follow.OrderExport),
		on(get, "/eksport/:eksport", see, s.follow.ShowExport),
		on(get, "/eksport/:eksport/fil", see, s.follow.FetchExport),
		on(post, "/utsendinger/visning", see, s.follow.SaveListView),
		on(post, "/filtre", see, s.follow.SaveFilter),
		on(post, "/filtre/:id/slett", see, s.follow.DeleteFilter),
		onList("/sms", s.follow.ListItems(dispatch.KindSMS)),
		on(get, "/sms/ny", send, s.compose.SMS.New),
		on(post, "/sms/ny", send, s.compose.SMS.Create),
		on(post, "/sms/ny/lagre", send, s.compose.SMS.Keep),
		on(post, "/sms/ny/forkast", send, s.compose.SMS.Drop),
		on(get, "/sms/ny/flere", send, s.compose.SMSLists.New),
		on(get, "/lister/eksempel-sms.csv", send, s.compose.SMSLists.Sample),
		on(get, "/lister/eksempel-brev.csv", send, s.compose.SMSLists.Sample),
		on(post, "/sms/ny/flere", send, s.compose.SMSLists.Create),
		on(post, "/sms/teller", send, s.compose.SMS.Count),
		on(post, "/sms/sjekk", send, s.compose.SMS.CheckField),
		on(get, "/sms/uavklart", see, s.follow.ListUncertain),
		on(post, "/sms/uavklart", followUp, s.follow.DecideMany),
		on(get, "/sms/:id", see, s.follow.ShowSMS),
		on(get, "/sms/:id/dokumentasjon", see, s.follow.ProveSMS),
		on(get, "/sms/:id/feil-mottaker", see, s.follow.WrongSMS),
		on(post, "/sms/:id/arkivpakke", see, s.follow.PackItem(frame.SMSPages, s.follow.SMSItem)),
		on(get, "/sms/:id/arkivert", followUp, s.follow.AskArchived(s.follow.SMSItem)),
		on(post, "/sms/:id/arkivert", followUp, s.follow.NoteArchived(frame.SMSPages, s.follow.SMSItem)),
		on(get, "/sms/:id/person", followUp, s.follow.AskPerson(s.follow.PersonOfSMS)),
		on(post, "/sms/:id/person", followUp, s.follow.BeginPerson(s.follow.PersonOfSMS)),
		on(get, "/sms/:id/endre", send, s.compose.SMS.Edit),
		on(post, "/sms/:id/endre", send, s.compose.SMS.Change),
		on(post, "/sms/:id/lagre", send, s.compose.SMS.KeepEdit),
		on(get, "/sms/:id/kontroll", send, s.compose.SMS.Review),
		on(post, "/sms/:id/oppslag", send, s.compose.SMS.AskContact),
		on(post, "/sms/:id/send", send, s.compose.SMS.Send),
		on(post, "/sms/:id/forkast", send, s.compose.SMS.Discard),
		on(post, "/sms/:id/trekk-tilbake", send, s.compose.Approvals.WithdrawSMS),
		on(post, "/sms/:id/kopier", send, s.compose.SMS.Copy),
		on(post, "/sms/:id/avbryt", followUp, s.follow.CancelSMS),
		on(get, "/sms/:id/tidspunkt", followUp, s.follow.EditSMSTime),
		on(post, "/sms/:id/tidspunkt", followUp, s.follow.ChangeSMSTime),
		on(post, "/sms/:id/bekreft", followUp, s.follow.ConfirmSMS),
		on(post, "/sms/:id/send-igjen", followUp, s.follow.SendSMSAgain),
		on(post, "/sms/:id/avgjor", followUp, s.follow.DecideSMS),
		on(get, "/sms/:id/fulgt-opp", followUp, s.follow.EditFollowUp(frame.SMSPages, s.follow.SMSItem)),
		on(post, "/sms/:id/fulgt-opp", followUp, s.follow.SaveFollowUp(frame.SMSPages, s.follow.SMSItem)),
		on(get, "/sms/:id/behold", dispatch.RightHold, s.follow.ShowHold(frame.SMSPages, s.follow.SMSItem)),
		on(post, "/sms/:id/behold", dispatch.RightHold, s.follow.ChangeHold(frame.SMSPages, s.follow.SMSItem)),
		on(post, "/sms/:id/kontroller", followUp, s.follow.CheckNow(frame.SMSPages, s.follow.SMSItem)),
		on(post, "/sms/:id/brev", shipment, s.compose.OtherWay.AsShipment),
		on(post, "/sms/:id/vis", see, follow.RevealNumber(s.follow, s.follow.SMSContent())),
		on(get, "/sms/:id/apne", see, s.follow.AskOpen(frame.SMSPages, s.follow.SMSItem)),
		on(post, "/sms/:id/apne", see, follow.OpenContent(s.follow, s.follow.SMSContent())),
		on(get, "/innstillinger", dispatch.RightSettings, s.admin.EditAccount),
		on(post, "/innstillinger", dispatch.RightSettings, s.admin.SaveAccount),
		on(get, "/innstillinger/varsler", dispatch.RightSettings, s.admin.EditAccountAlarms),
		on(post, "/innstillinger/varsler/feil", dispatch.RightSettings, s.admin.SaveFailing),
		on(post, "/innstillinger/varsler/chat", dispatch.RightSettings, s.frame.Fresh(s.admin.SaveChat)),
		on(post, "/innstillinger/varsler/prov", dispatch.RightSettings, s.admin.TryChat),
		on(get, "/innstillinger/pdf", dispatch.RightSettings, s.admin.EditPrintRules),
		on(post, "/innstillinger/pdf", dispatch.RightSettings, s.admin.SavePrintRules),
		on(get, "/maler", templates, s.compose.Templates.List),
		on(get, "/maler/ny", write, s.compose.Templates.New),
		on(post, "/maler/ny", write, s.compose.Templates.Create),
		on(post, "/maler/teller", write, s.compose.Templates.Count),
		on(get, "/maler/:id", templates, s.compose.Templates.Show),
		on(get, "/maler/:id/endre", write, s.compose.Templates.Edit),
		on(post, "/maler/:id/endre", write, s.compose.Templates.Save),
		on(post, "/maler/:id/arkiver", write, s.compose.Templates.Archive(true)),
		on(post, "/maler/:id/aktiver", write, s.compose.Templates.Archive(false)),
		on(post, "/maler/:id/godkjenning", write, s.compose.Templates.RequireApproval),
		on(post, "/maler/:id/trekk-tilbake", write, s.compose.Approvals.WithdrawTemplate),
		on(get, "/maler/:id/versjoner/:versjon", templates, s.compose.Templates.ShowOneVersion),
		on(post, "/maler/:id/versjoner/:versjon/tilbake", write, s.compose.Templates.Restore),
		on(get, "/oppslag", lookup, s.compose.Lookups.Show),
		on(post, "/oppslag", lookup, s.compose.Lookups.LookUp),
		on(post, "/oppslag/igjen", lookup, s.compose.Lookups.Again),
		on(post, "/oppslag/glem", lookup, s.compose.Lookups.Forget),
		on(post, "/oppslag/sms", send, s.compose.Lookups.SendToFound),
		on(get, "/jobber", see, s.follow.ListJobs),
		on(get, "/jobber/:id", see, s.follow.ShowJob),
		on(get, "/jobber/:id/endre", send, s.compose.SMSJobs.Edit),
		on(post, "/jobber/:id/endre", send, s.compose.SMSJobs.SaveText),
		on(post, "/jobber/:id/lagre", send, s.compose.SMSJobs.Keep),
		on(post, "/jobber/:id/teller", send, s.compose.SMSJobs.Count),
		on(post, "/jobber/:id/liste", send, s.compose.SMSLists.Replace),
		on(post, "/jobber/:id/lesing", send, s.compose.SMSLists.ReadAgain),
		on(get, "/jobber/:id/feil", send, s.compose.SMSLists.ShowFaults),
		on(post, "/jobber/:id/feil", send, s.compose.SMSLists.FixFaults),
		on(post, "/jobber/:id/feil/teller", send, s.compose.SMSLists.CountRow),
		on(get, "/jobber/:id/feil.csv", send, s.compose.SMSLists.FaultsFile),
		on(get, "/jobber/:id/ikke-nadd", send, s.compose.SMSLists.ShowUnreached),
		on(post, "/jobber/:id/ikke-nadd", send, s.compose.SMSLists.FixUnreached),
		on(get, "/jobber/:id/kan-nas", send, s.compose.Contacts.ShowContacts),
		on(post, "/jobber/:id/oppslag", send, s.compose.Contacts.AskContacts),
		on(post, "/jobber/:id/bare-nas", send, s.compose.Contacts.OnlyReachable),
		on(post, "/jobber/:id/rest-brev", send, s.compose.Contacts.ShipmentToRest),
		on(post, "/jobber/:id/ta-med", send, s.compose.Contacts.TakeInLeftOut),
		on(get, "/jobber/:id/kontroll", send, s.compose.SMSJobs.Review),
		on(post, "/jobber/:id/send", send, s.compose.SMSJobs.Send),
		on(post, "/jobber/:id/forkast", send, s.compose.SMSJobs.Discard),
		on(post, "/jobber/:id/trekk-tilbake", send, s.compose.Approvals.WithdrawJob),
		on(get, "/godkjenning", approve, s.compose.Approvals.List),
		on(get, "/godkjenning/:id", approve, s.compose.Approvals.Show),
		on(post, "/godkjenning/:id/godkjenn", approve, s.compose.Approvals.Approve),
		on(post, "/godkjenning/:id/returner", approve, s.compose.Approvals.Return),
		on(get, "/godkjenning/:id/dokumenter/:dokument", approve, s.compose.Approvals.ProposedFile),
		on(get, "/godkjenning/:id/dokumenter/:dokument"+compose.PictureRoute, approve, s.compose.Approvals.ProposedPicture),
		on(get, "/godkjenning/:id/flere/deler/:del", approve, s.compose.Approvals.ProposedPart),
		on(get, "/godkjenning/:id/flere/deler/:del"+compose.PictureRoute, approve, s.compose.Approvals.ProposedPartPicture),
		on(post, "/jobber/:id/pause", followUp, s.follow.ActOnJob(items.In(s.o.Store).PauseJob, "flash.job_paused")),
		on(post, "/jobber/:id/fortsett", followUp, s.follow.ActOnJob(items.In(s.o.Store).ResumeJob, "flash.job_resumed")),
		on(post, "/jobber/:id/stopp", followUp, s.follow.ActOnJob(items.In(s.o.Store).StopJob, "flash.job_stopped")),
		on(get, "/jobber/:id/tidspunkt", followUp, s.follow.EditJobTime),
		on(post, "/jobber/:id/tidspunkt", followUp, s.follow.ChangeJobTime),
		on(post, "/jobber/:id/avgjor", followUp, s.follow.DecideJob),
		on(post, "/jobber/:id/igjen", send, s.follow.RepeatJob),
		on(get, "/jobber/:id/resultat.csv", followUp, s.follow.ResultCSV),
		on(get, "/jobber/:id/resultat.xlsx", followUp, s.follow.ResultXLSX),
		on(get, "/pdf-hjelp", shipment, s.compose.PDFHelp.Show),
		on(get, "/pdf-hjelp/brevmal.docx", shipment, s.compose.PDFHelp.WordTemplate),
		on(post, "/forsendelser/ny", shipment, s.compose.Shipments.New),
		on(get, "/utkast", shipment, s.follow.ListDrafts),
		on(get, "/utkast/:id", shipment, s.compose.Shipments.Edit),
		on(post, "/utkast/:id", shipment, s.compose.Shipments.Save),
		on(post, "/utkast/:id/stand", shipment, s.compose.Shipments.SaveStand),
		on(post, "/utkast/:id/dokumenter", shipment, s.compose.Documents.Upload),
		on(get, compose.DraftFileRoute, shipment, s.compose.Documents.File),
		on(get, compose.DraftFileRoute+compose.PictureRoute, shipment, s.compose.Documents.Picture),
		on(post, "/utkast/:id/dokumenter/:dokument/opp", shipment, s.compose.Documents.Move(-1)),
		on(post, "/utkast/:id/dokumenter/:dokument/ned", shipment, s.compose.Documents.Move(1)),
		on(post, "/utkast/:id/dokumenter/:dokument/fjern", shipment, s.compose.Documents.Remove()),
		on(post, "/utkast/:id/dokumenter/:dokument/rydd", shipment, s.compose.Documents.Clean),
		on(post, "/utkast/:id/dokumenter/:dokument/opprinnelig", shipment, s.compose.Documents.Restore),
		on(post, "/utkast/:id/rekkefolge", shipment, s.compose.Documents.Order),
		on(post, "/utkast/:id/forkast", shipment, s.compose.Shipments.Discard),
		on(post, "/utkast/:id/trekk-tilbake", shipment, s.compose.Approvals.WithdrawShipment),
		on(get, "/utkast/:id/overlat", shipment, s.compose.HandOver.Ask),
		on(post, "/utkast/:id/overlat", shipment, s.compose.HandOver.Give),
		on(post, "/utkast/:id/ta-tilbake", shipment, s.compose.HandOver.TakeBack),
		on(get, "/utkast/:id/mal", shipment, s.compose.ShipmentTemplates.New),
		on(post, "/utkast/:id/mal", shipment, s.compose.ShipmentTemplates.Save),
		on(get, "/utkast/:id/kontroll", shipment, s.compose.Shipments.Review),
		on(post, "/utkast/:id/oppslag", shipment, s.compose.Shipments.AskContact),
		on(post, "/utkast/:id/send", shipment, s.compose.Shipments.Send),
		on(get, "/utkast/:id/flere", shipment, s.compose.ShipmentJobs.Edit),
		on(post, "/utkast/:id/flere", shipment, s.compose.ShipmentJobs.Save),
		on(post, "/utkast/:id/flere/liste", shipment, s.compose.ShipmentLists.Take),
		on(post, "/utkast/:id/flere/lesing", shipment, s.compose.ShipmentLists.ReadAgain),
		on(get, "/utkast/:id/flere/feil", shipment, s.compose.ShipmentLists.ShowFaults),
		on(post, "/utkast/:id/flere/feil", shipment, s.compose.ShipmentLists.FixFaults),
		on(get, "/utkast/:id/flere/feil.csv", shipment, s.compose.ShipmentLists.FaultsFile),
		on(get, "/utkast/:id/flere/filer", shipment, s.compose.OwnFiles.Show),
		on(post, "/utkast/:id/flere/filer", shipment, s.compose.OwnFiles.Upload),
		on(post, "/utkast/:id/flere/filer/fjern", shipment, s.compose.OwnFiles.Remove),
		on(get, "/utkast/:id/flere/kan-nas", shipment, s.compose.Contacts.ShowShipmentContacts),
		on(post, "/utkast/:id/flere/oppslag", shipment, s.compose.Contacts.AskShipmentContacts),
		on(get, "/utkast/:id/flere/kontroll", shipment, s.compose.ShipmentJobs.Review),
		on(get, "/utkast/:id/flere/deler/:del", shipment, s.compose.Slices.File),
		on(get, "/utkast/:id/flere/deler/:del"+compose.PictureRoute, shipment, s.compose.Slices.Picture),
		on(post, "/utkast/:id/flere/sett", shipment, s.compose.Slices.SeeSlices),
		on(post, "/utkast/:id/flere/send", shipment, s.compose.ShipmentJobs.Send),
		on(post, "/utkast/:id/flere/forkast", shipment, s.compose.ShipmentJobs.Drop),
		on(post, "/jobber/:id/brev-igjen", shipment, s.compose.ShipmentJobs.Repeat),
		on(post, "/utkast/:id/mottakersystem", shipment, s.compose.Receivers.Use),
		on(get, "/mottakersystem", shipment, s.compose.Receivers.List),
		on(get, "/forsendelser/sok", followUp, s.follow.SearchReference),
		on(post, "/forsendelser/sok", followUp, s.follow.FindReference),
		onList("/forsendelser", s.follow.ListItems(dispatch.KindShipment)),
		on(get, "/forsendelser/:id", see, s.follow.ShowShipment),
		on(get, "/forsendelser/:id/dokumentasjon", see, s.follow.ProveShipment),
		on(get, "/forsendelser/:id/feil-mottaker", see, s.follow.WrongShipment),
		on(post, "/forsendelser/:id/arkivpakke", see, s.follow.PackItem(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(get, "/forsendelser/:id/arkivert", followUp, s.follow.AskArchived(s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/arkivert", followUp, s.follow.NoteArchived(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(get, "/forsendelser/:id/person", followUp, s.follow.AskPerson(s.follow.PersonOfShipment)),
		on(post, "/forsendelser/:id/person", followUp, s.follow.BeginPerson(s.follow.PersonOfShipment)),
		on(get, "/forsendelser/:id/lest", followUp, s.follow.AskRead),
		on(post, "/forsendelser/:id/lest", followUp, s.follow.MarkRead),
		on(get, "/forsendelser/:id/slett-dokumenter", shipment, s.follow.AskDeleteDocuments),
		on(post, "/forsendelser/:id/slett-dokumenter", shipment, s.follow.DeleteDocuments),
		on(post, "/forsendelser/:id/avbryt", followUp, s.follow.CancelShipment),
		on(get, "/forsendelser/:id/tidspunkt", followUp, s.follow.EditShipmentTime),
		on(post, "/forsendelser/:id/tidspunkt", followUp, s.follow.ChangeShipmentTime),
		on(post, "/forsendelser/:id/bekreft", followUp, s.follow.ConfirmShipment),
		on(post, "/forsendelser/:id/send-igjen", followUp, s.follow.SendShipmentAgain),
		on(post, "/forsendelser/:id/avgjor", followUp, s.follow.DecideShipment),
		on(get, "/forsendelser/:id/fulgt-opp", followUp, s.follow.EditFollowUp(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/fulgt-opp", followUp, s.follow.SaveFollowUp(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(get, "/forsendelser/:id/behold", dispatch.RightHold, s.follow.ShowHold(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/behold", dispatch.RightHold, s.follow.ChangeHold(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/kontroller", followUp, s.follow.CheckNow(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/sms", send, s.compose.OtherWay.BySMS),
		on(post, "/forsendelser/:id/let-igjen", followUp, s.follow.LookAgain),
		on(post, "/forsendelser/:id/kopier", dispatch.RightSendShipments, s.compose.Shipments.Copy),
		on(post, "/forsendelser/:id/vis", see, follow.RevealNumber(s.follow, s.follow.ShipmentContent())),
		on(get, "/forsendelser/:id/apne", see, s.follow.AskOpen(frame.ShipmentPages, s.follow.ShipmentItem)),
		on(post, "/forsendelser/:id/apne", see, follow.OpenContent(s.follow, s.follow.ShipmentContent())),
		on(get, follow.ShipmentFileRoute, see, s.follow.ShipmentFile),
		on(post, follow.ShipmentFileRoute, see, s.frame.Paced(s.follow.ShipmentFile)),
	} {
		list = append(list, r(s))
	}
	return list
}

// framedRoutes are public, and still read the session: to log in, or to show the navigation of a logged-in user.
var framedRoutes = []string{"/logg-inn", "/oidc/retur", "/nytt", "/hjelp", "/personvern", "/tilgjengelighet"}

// register registers the table of routes. Only pages read the session. HEAD is registered wherever GET is.
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
		_, _ = s.frame.User(c) // only for the page's navigation, which is optional
		return echo.ErrNotFound
	}, withSession)
}

// withSession reads the session before a handler, and writes it back after it.
func (s *server) withSession(e *echo.Echo) echo.MiddlewareFunc {
	return echo.WrapMiddleware(s.o.Session.Load(func(w http.ResponseWriter, r *http.Request, err error) {
		s.frame.HandleError(err, e.NewContext(r, w))
	}))
}
