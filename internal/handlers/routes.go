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
	confirm := s.admin.Confirmations.Confirm
	byAdmin := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, system, manage, s.frame.OnSystem(manage, h)}
	}
	inSystem := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, system, operate, s.frame.OnSystem(operate, h)}
	}
	byAuditor := func(method, path string, h func(echo.Context, frame.Visit) error) route {
		return route{method, path, audited, dispatch.RightAudit, s.admin.Audit.OnAudit(h)}
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
		{get, "/driftsstatus", signedIn, "", s.frame.SignedIn(s.admin.Health.ShowStatus)},
		inSystem(get, "/admin/tilstand", s.admin.Health.Show),
		inSystem(get, "/admin/varsler", s.admin.Alarms.Show),
		inSystem(post, "/admin/varsler/prov", s.admin.Alarms.TryChannels),
		{get, "/min-side/visning", signedIn, "", s.frame.SignedIn(s.site.Display)},
		{post, "/min-side/visning", signedIn, "", s.frame.SignedIn(s.site.SaveDisplay)},
		{get, frame.SignInsPath, signedIn, "", s.frame.SignedIn(s.site.ShowSignIns)},
		{post, frame.SignInsPath + "/avslutt", signedIn, "", s.frame.SignedIn(s.site.EndOthers)},
		{get, "/min-side/varsler", signedIn, "", s.frame.SignedIn(s.site.ShowNotices)},
		{post, "/min-side/varsler", signedIn, "", s.frame.SignedIn(s.site.SaveNotices)},
		{post, "/min-side/varsler/prov", signedIn, "", s.frame.SignedIn(s.site.TryNotices)},
		{post, "/min-side/fortsett", signedIn, "", s.frame.SignedIn(s.site.Stay)},
		{post, "/logg-ut", signedIn, "", s.frame.SignedIn(s.site.Logout)},
		inSystem(get, "/admin/levering", s.admin.Delivery.Show),
		inSystem(get, "/admin/levering/pause", confirm(s.admin.Acts.PauseDelivery)),
		inSystem(post, "/admin/levering/pause", confirm(s.admin.Acts.PauseDelivery)),
		inSystem(post, "/admin/levering/start", s.admin.Delivery.Resume),
		inSystem(post, "/admin/levering/gjenopprettet/:konto", s.admin.Delivery.DecideRestored),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer", s.admin.Delivery.ClearRefusal(admin.FromDelivery)),
		inSystem(post, "/admin/levering/integrasjoner/:id/klarer/:konto", s.admin.Delivery.ClearRefusal(admin.FromDelivery)),
		inSystem(get, "/admin/levering/integrasjoner/:id/stopp", confirm(s.admin.Acts.StopIntegration(admin.FromDelivery))),
		inSystem(post, "/admin/levering/integrasjoner/:id/stopp", confirm(s.admin.Acts.StopIntegration(admin.FromDelivery))),
		inSystem(get, "/admin/levering/integrasjoner/:id/apne", confirm(s.admin.Acts.OpenIntegration(admin.FromDelivery))),
		inSystem(post, "/admin/levering/integrasjoner/:id/apne", confirm(s.admin.Acts.OpenIntegration(admin.FromDelivery))),
		inSystem(get, admin.ReconciliationsPath, s.admin.Reconciliations.List),
		inSystem(post, admin.ReconciliationsPath, s.admin.Reconciliations.Reconcile),
		inSystem(get, admin.ReconciliationsPath+"/:id", s.admin.Reconciliations.Show),
		inSystem(get, "/admin/godkjenning", s.admin.ActRequests.List),
		inSystem(post, "/admin/godkjenning/:id/godkjenn", s.frame.Fresh(s.admin.ActRequests.Approve)),
		inSystem(post, "/admin/godkjenning/:id/avvis", s.admin.ActRequests.Refuse),
		inSystem(post, "/admin/godkjenning/:id/trekk", s.admin.ActRequests.Withdraw),
		byAdmin(get, "/admin/utseende", s.admin.Appearance.Show),
		byAdmin(post, "/admin/utseende", s.admin.Appearance.Save),
		byAdmin(get, "/admin/integrasjoner", s.admin.Integrations.List),
		byAdmin(get, "/admin/integrasjoner/ny", s.admin.Integrations.New),
		byAdmin(post, "/admin/integrasjoner/ny", s.admin.Integrations.Create),
		byAdmin(get, "/admin/integrasjoner/:id", s.admin.Integrations.Show),
		byAdmin(get, "/admin/integrasjoner/:id/endre", s.admin.Integrations.Edit),
		byAdmin(post, "/admin/integrasjoner/:id/endre", s.admin.Integrations.Save),
		byAdmin(post, "/admin/integrasjoner/:id/prov", s.admin.Integrations.Try),
		byAdmin(get, "/admin/integrasjoner/:id/stopp", confirm(s.admin.Acts.StopIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/stopp", confirm(s.admin.Acts.StopIntegration(admin.FromIntegration))),
		byAdmin(get, "/admin/integrasjoner/:id/apne", confirm(s.admin.Acts.OpenIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/apne", confirm(s.admin.Acts.OpenIntegration(admin.FromIntegration))),
		byAdmin(post, "/admin/integrasjoner/:id/klarer", s.admin.Delivery.ClearRefusal(admin.FromIntegration)),
		byAdmin(get, "/admin/integrasjoner/:id/slett", confirm(s.admin.Acts.DeleteIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/slett", confirm(s.admin.Acts.DeleteIntegration)),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat", s.admin.Integrations.SaveCertificate),
		byAdmin(get, "/admin/integrasjoner/:id/sertifikat/fjern", confirm(s.admin.Acts.RemoveCertificate)),
		byAdmin(post, "/admin/integrasjoner/:id/sertifikat/fjern", confirm(s.admin.Acts.RemoveCertificate)),
		byAdmin(get, "/admin/integrasjoner/:id/tilgang", s.frame.Fresh(s.admin.Integrations.EnterCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang", s.frame.Fresh(s.admin.Integrations.SaveCredentials)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/prov", s.admin.Integrations.TrySet),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/bruk", s.frame.Fresh(s.admin.Integrations.UseSet)),
		byAdmin(get, "/admin/integrasjoner/:id/tilgang/:sett/slett", confirm(s.admin.Acts.WipeSet)),
		byAdmin(post, "/admin/integrasjoner/:id/tilgang/:sett/slett", confirm(s.admin.Acts.WipeSet)),
		byAdmin(get, "/admin/generasjoner", s.admin.Generations.Show),
		byAdmin(post, "/admin/generasjoner", s.admin.Generations.Move),
		byAdmin(post, "/admin/generasjoner/prov", s.admin.Generations.Try),
		byAdmin(get, "/admin/kontoer", s.admin.Accounts.List),
		byAdmin(get, "/admin/bruk", s.admin.Usage.Show),
		byAdmin(get, "/admin/kontoer/ny", s.admin.Accounts.New),
		byAdmin(post, "/admin/kontoer/ny", s.admin.Accounts.Create),
		byAdmin(get, "/admin/kontoer/:konto", s.admin.Accounts.Edit),
		byAdmin(post, "/admin/kontoer/:konto", s.admin.Accounts.Save),
		byAdmin(get, "/admin/kontoer/:konto/deaktiver", confirm(s.admin.Acts.DisableAccount)),
		byAdmin(post, "/admin/kontoer/:konto/deaktiver", confirm(s.admin.Acts.DisableAccount)),
		byAdmin(post, "/admin/kontoer/:konto/aktiver", s.admin.Accounts.Enable),
		byAdmin(get, "/admin/kontoer/:konto/bytt", s.admin.Accounts.ChooseSwitch),
		byAdmin(get, "/admin/kontoer/:konto/pdf", s.admin.PrintRules.Edit),
		byAdmin(post, "/admin/kontoer/:konto/pdf", s.admin.PrintRules.Save),
		byAdmin(get, "/admin/kontoer/:konto/varsler", s.admin.AccountAlarms.Edit),
		byAdmin(post, "/admin/kontoer/:konto/varsler/feil", s.admin.AccountAlarms.SaveFailing),
		byAdmin(post, "/admin/kontoer/:konto/varsler/chat", s.frame.Fresh(s.admin.AccountAlarms.SaveChat)),
		byAdmin(post, "/admin/kontoer/:konto/varsler/prov", s.admin.AccountAlarms.TryChat),
		byAdmin(post, "/admin/kontoer/:konto/bytt", s.admin.Accounts.SwitchShipments),
		byAdmin(post, "/admin/kontoer/:konto/bytt/prov", s.admin.Accounts.TrySwitch),
		{get, admin.ReviewPath, system, "", s.admin.AccessReview.OnReview(s.admin.AccessReview.Show)},
		byAdmin(post, admin.ReviewPath, s.admin.AccessReview.Sign),
		byAdmin(get, "/admin/rettigheter", s.admin.Rights.Show),
		byAdmin(post, "/admin/rettigheter", s.frame.Fresh(s.admin.Rights.Add)),
		byAdmin(get, "/admin/rettigheter/:id/fjern", confirm(s.admin.Acts.RemoveRight)),
		byAdmin(post, "/admin/rettigheter/:id/fjern", confirm(s.admin.Acts.RemoveRight)),
		byAuditor(get, admin.RetentionPath, s.admin.Retention.Show),
		byAdmin(post, admin.RetentionPath, s.frame.Fresh(s.admin.Retention.Save)),
		byAuditor(get, "/admin/innsyn", s.admin.Citizen.Ask),
		byAuditor(post, "/admin/innsyn", s.admin.Citizen.Report),
		byAuditor(get, "/admin/logg", s.admin.Audit.Show),
		byAuditor(post, "/admin/logg/kontroller", s.admin.Audit.Verify),
		byAuditor(get, "/admin/logg.csv", s.admin.Audit.CSV),
		byAuditor(get, "/admin/logg.jsonl", s.admin.Audit.JSON),
	}
	for _, r := range []func(*server) route{
		on(get, "", see, s.follow.Overview.ToOverview),
		on(get, "/", see, s.follow.Overview.Show),
		on(get, "/ledelse", dispatch.RightLead, s.follow.Lead.Show),
		on(get, "/ledelse.csv", dispatch.RightLead, s.follow.Lead.CSV),
		on(get, "/oppfolging", see, s.follow.FollowUps.List),
		on(get, "/fravar", followUp, s.follow.Absences.Show),
		on(post, "/fravar", followUp, s.follow.Absences.Save),
		on(post, "/fravar/avslutt", followUp, s.follow.Absences.End),
		on(get, "/skjermede", lead, s.follow.Protected.Show),
		on(post, "/skjermede", lead, s.follow.Protected.Protect),
		on(get, "/skjermede/:id", lead, s.follow.Protected.Edit),
		on(post, "/skjermede/:id/navngitte", lead, s.follow.Protected.NameViewers),
		on(post, "/skjermede/:id/opphev", lead, s.follow.Protected.End),
		on(get, "/overlat", lead, s.follow.Absences.AskHandOverAll),
		on(post, "/overlat", lead, s.follow.Absences.HandOverAll),
		on(post, "/oppfolging/ta", followUp, s.follow.FollowUps.Take),
		onList("/utsendinger", s.follow.Lists.Items("")),
		on(post, "/utvalg", followUp, s.follow.Bulk.Ask),
		on(post, "/utvalg/lagre", followUp, s.follow.Bulk.Do),
		on(get, "/utvalg/:utvalg", followUp, s.follow.Bulk.Show),
		on(post, "/sok", see, s.follow.Search.Begin),
		on(post, "/sok-person", followUp, s.follow.Search.ForPerson),
		onList("/sok/:sok", s.follow.Search.Show),
		on(get, "/sok/:sok/person", followUp, s.follow.Person.Ask(s.follow.Person.OfSearch)),
		on(post, "/sok/:sok/person", followUp, s.follow.Person.Begin(s.follow.Person.OfSearch)),
		on(get, "/mottaker/:sok", followUp, s.follow.Person.Show),
		on(get, "/arkiv", followUp, s.follow.Archive.Show),
		on(post, "/arkiv", followUp, s.follow.Archive.PackDay),
		on(get, "/eksport", see, s.follow.Exports.Ask),
		on(post, "/eksport", see, s.follow.Exports.Order),
		on(get, "/eksport/:eksport", see, s.follow.Exports.Show),
		on(get, "/eksport/:eksport/fil", see, s.follow.Exports.Fetch),
		on(post, "/utsendinger/visning", see, s.follow.Lists.SaveView),
		on(post, "/filtre", see, s.follow.Lists.SaveFilter),
		on(post, "/filtre/:id/slett", see, s.follow.Lists.DeleteFilter),
		onList("/sms", s.follow.Lists.Items(dispatch.KindSMS)),
		on(get, "/sms/ny", send, s.compose.SMS.New),
		on(post, "/sms/ny", send, s.compose.SMS.Create),
		on(post, "/sms/ny/lagre", send, s.compose.SMS.Autosave),
		on(post, "/sms/ny/forkast", send, s.compose.SMS.DropUnfinished),
		on(get, "/sms/ny/flere", send, s.compose.SMSLists.New),
		on(get, "/lister/eksempel-sms.csv", send, s.compose.SMSLists.Sample),
		on(get, "/lister/eksempel-brev.csv", send, s.compose.SMSLists.Sample),
		on(post, "/sms/ny/flere", send, s.compose.SMSLists.Create),
		on(post, "/sms/teller", send, s.compose.SMS.Count),
		on(post, "/sms/sjekk", send, s.compose.SMS.CheckField),
		on(get, "/sms/uavklart", see, s.follow.SMS.ListUncertain),
		on(post, "/sms/uavklart", followUp, s.follow.SMS.DecideMany),
		on(get, "/sms/:id", see, s.follow.SMS.Show),
		on(get, "/sms/:id/dokumentasjon", see, s.follow.Items.ProveSMS),
		on(get, "/sms/:id/feil-mottaker", see, s.follow.Items.WrongSMS),
		on(post, "/sms/:id/arkivpakke", see, s.follow.Archive.PackItem(frame.SMSPages, s.follow.Items.SMSItem)),
		on(get, "/sms/:id/arkivert", followUp, s.follow.Archive.AskArchived(s.follow.Items.SMSItem)),
		on(post, "/sms/:id/arkivert", followUp, s.follow.Archive.NoteArchived(frame.SMSPages, s.follow.Items.SMSItem)),
		on(get, "/sms/:id/person", followUp, s.follow.Person.Ask(s.follow.Person.OfSMS)),
		on(post, "/sms/:id/person", followUp, s.follow.Person.Begin(s.follow.Person.OfSMS)),
		on(get, "/sms/:id/endre", send, s.compose.SMS.Edit),
		on(post, "/sms/:id/endre", send, s.compose.SMS.Change),
		on(post, "/sms/:id/lagre", send, s.compose.SMS.AutosaveEdit),
		on(get, "/sms/:id/kontroll", send, s.compose.SMS.Review),
		on(post, "/sms/:id/oppslag", send, s.compose.SMS.AskContact),
		on(post, "/sms/:id/send", send, s.compose.SMS.Send),
		on(post, "/sms/:id/forkast", send, s.compose.SMS.Discard),
		on(post, "/sms/:id/trekk-tilbake", send, s.compose.Approvals.WithdrawSMS),
		on(post, "/sms/:id/kopier", send, s.compose.SMS.Copy),
		on(post, "/sms/:id/avbryt", followUp, s.follow.SMS.Cancel),
		on(get, "/sms/:id/tidspunkt", followUp, s.follow.SMS.EditTime),
		on(post, "/sms/:id/tidspunkt", followUp, s.follow.SMS.ChangeTime),
		on(post, "/sms/:id/bekreft", followUp, s.follow.SMS.Confirm),
		on(post, "/sms/:id/send-igjen", followUp, s.follow.SMS.SendAgain),
		on(post, "/sms/:id/avgjor", followUp, s.follow.SMS.Decide),
		on(get, "/sms/:id/fulgt-opp", followUp, s.follow.FollowUps.Edit(frame.SMSPages, s.follow.Items.SMSItem)),
		on(post, "/sms/:id/fulgt-opp", followUp, s.follow.FollowUps.Save(frame.SMSPages, s.follow.Items.SMSItem)),
		on(get, "/sms/:id/behold", dispatch.RightHold, s.follow.Items.ShowHold(frame.SMSPages, s.follow.Items.SMSItem)),
		on(post, "/sms/:id/behold", dispatch.RightHold, s.follow.Items.ChangeHold(frame.SMSPages, s.follow.Items.SMSItem)),
		on(post, "/sms/:id/kontroller", followUp, s.follow.Items.CheckNow(frame.SMSPages, s.follow.Items.SMSItem)),
		on(post, "/sms/:id/brev", shipment, s.compose.OtherWay.AsShipment),
		on(post, "/sms/:id/vis", see, s.follow.SMS.Content().RevealNumber()),
		on(get, "/sms/:id/apne", see, s.follow.Items.AskOpen(frame.SMSPages, s.follow.Items.SMSItem)),
		on(post, "/sms/:id/apne", see, s.follow.SMS.Content().Open()),
		on(get, "/innstillinger", dispatch.RightSettings, s.admin.Accounts.Edit),
		on(post, "/innstillinger", dispatch.RightSettings, s.admin.Accounts.Save),
		on(get, "/innstillinger/varsler", dispatch.RightSettings, s.admin.AccountAlarms.Edit),
		on(post, "/innstillinger/varsler/feil", dispatch.RightSettings, s.admin.AccountAlarms.SaveFailing),
		on(post, "/innstillinger/varsler/chat", dispatch.RightSettings, s.frame.Fresh(s.admin.AccountAlarms.SaveChat)),
		on(post, "/innstillinger/varsler/prov", dispatch.RightSettings, s.admin.AccountAlarms.TryChat),
		on(get, "/innstillinger/pdf", dispatch.RightSettings, s.admin.PrintRules.Edit),
		on(post, "/innstillinger/pdf", dispatch.RightSettings, s.admin.PrintRules.Save),
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
		on(get, "/maler/:id/versjoner/:versjon", templates, s.compose.Templates.ShowVersion),
		on(post, "/maler/:id/versjoner/:versjon/tilbake", write, s.compose.Templates.Restore),
		on(get, "/oppslag", lookup, s.compose.Lookups.Show),
		on(post, "/oppslag", lookup, s.compose.Lookups.LookUp),
		on(post, "/oppslag/igjen", lookup, s.compose.Lookups.Again),
		on(post, "/oppslag/glem", lookup, s.compose.Lookups.Forget),
		on(post, "/oppslag/sms", send, s.compose.Lookups.SendToFound),
		on(get, "/jobber", see, s.follow.Jobs.List),
		on(get, "/jobber/:id", see, s.follow.Jobs.Show),
		on(get, "/jobber/:id/endre", send, s.compose.SMSJobs.Edit),
		on(post, "/jobber/:id/endre", send, s.compose.SMSJobs.SaveText),
		on(post, "/jobber/:id/lagre", send, s.compose.SMSJobs.Autosave),
		on(post, "/jobber/:id/teller", send, s.compose.SMSJobs.Count),
		on(post, "/jobber/:id/liste", send, s.compose.SMSLists.Replace),
		on(post, "/jobber/:id/lesing", send, s.compose.SMSLists.ReadAgain),
		on(get, "/jobber/:id/feil", send, s.compose.SMSLists.ShowFaults),
		on(post, "/jobber/:id/feil", send, s.compose.SMSLists.FixFaults),
		on(post, "/jobber/:id/feil/teller", send, s.compose.SMSLists.CountRow),
		on(get, "/jobber/:id/feil.csv", send, s.compose.SMSLists.FaultsFile),
		on(get, "/jobber/:id/ikke-nadd", send, s.compose.SMSLists.ShowUnreached),
		on(post, "/jobber/:id/ikke-nadd", send, s.compose.SMSLists.FixUnreached),
		on(get, "/jobber/:id/kan-nas", send, s.compose.Contacts.Show),
		on(post, "/jobber/:id/oppslag", send, s.compose.Contacts.Ask),
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
		on(post, "/jobber/:id/pause", followUp, s.follow.Jobs.Act(items.In(s.o.Store).Jobs.Pause, "flash.job_paused")),
		on(post, "/jobber/:id/fortsett", followUp, s.follow.Jobs.Act(items.In(s.o.Store).Jobs.Resume, "flash.job_resumed")),
		on(post, "/jobber/:id/stopp", followUp, s.follow.Jobs.Act(items.In(s.o.Store).Jobs.Stop, "flash.job_stopped")),
		on(get, "/jobber/:id/tidspunkt", followUp, s.follow.Jobs.EditTime),
		on(post, "/jobber/:id/tidspunkt", followUp, s.follow.Jobs.ChangeTime),
		on(post, "/jobber/:id/avgjor", followUp, s.follow.Jobs.Decide),
		on(post, "/jobber/:id/igjen", send, s.follow.Jobs.Repeat),
		on(get, "/jobber/:id/resultat.csv", followUp, s.follow.JobResults.CSV),
		on(get, "/jobber/:id/resultat.xlsx", followUp, s.follow.JobResults.XLSX),
		on(get, "/pdf-hjelp", shipment, s.compose.PDFHelp.Show),
		on(get, "/pdf-hjelp/brevmal.docx", shipment, s.compose.PDFHelp.WordTemplate),
		on(post, "/forsendelser/ny", shipment, s.compose.Shipments.New),
		on(get, "/utkast", shipment, s.follow.Lists.Drafts),
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
		on(get, "/utkast/:id/flere/kan-nas", shipment, s.compose.Contacts.ShowShipments),
		on(post, "/utkast/:id/flere/oppslag", shipment, s.compose.Contacts.AskShipments),
		on(get, "/utkast/:id/flere/kontroll", shipment, s.compose.ShipmentJobs.Review),
		on(get, "/utkast/:id/flere/deler/:del", shipment, s.compose.Slices.File),
		on(get, "/utkast/:id/flere/deler/:del"+compose.PictureRoute, shipment, s.compose.Slices.Picture),
		on(post, "/utkast/:id/flere/sett", shipment, s.compose.Slices.SeeSlices),
		on(post, "/utkast/:id/flere/send", shipment, s.compose.ShipmentJobs.Send),
		on(post, "/utkast/:id/flere/forkast", shipment, s.compose.ShipmentLists.Remove),
		on(post, "/jobber/:id/brev-igjen", shipment, s.compose.ShipmentJobs.Repeat),
		on(post, "/utkast/:id/mottakersystem", shipment, s.compose.Receivers.Use),
		on(get, "/mottakersystem", shipment, s.compose.Receivers.List),
		on(get, "/forsendelser/sok", followUp, s.follow.References.Ask),
		on(post, "/forsendelser/sok", followUp, s.follow.References.Find),
		onList("/forsendelser", s.follow.Lists.Items(dispatch.KindShipment)),
		on(get, "/forsendelser/:id", see, s.follow.Shipments.Show),
		on(get, "/forsendelser/:id/dokumentasjon", see, s.follow.Items.ProveShipment),
		on(get, "/forsendelser/:id/feil-mottaker", see, s.follow.Items.WrongShipment),
		on(post, "/forsendelser/:id/arkivpakke", see, s.follow.Archive.PackItem(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(get, "/forsendelser/:id/arkivert", followUp, s.follow.Archive.AskArchived(s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/arkivert", followUp, s.follow.Archive.NoteArchived(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(get, "/forsendelser/:id/person", followUp, s.follow.Person.Ask(s.follow.Person.OfShipment)),
		on(post, "/forsendelser/:id/person", followUp, s.follow.Person.Begin(s.follow.Person.OfShipment)),
		on(get, "/forsendelser/:id/lest", followUp, s.follow.Shipments.AskRead),
		on(post, "/forsendelser/:id/lest", followUp, s.follow.Shipments.MarkRead),
		on(get, "/forsendelser/:id/slett-dokumenter", shipment, s.follow.Shipments.AskDeleteDocuments),
		on(post, "/forsendelser/:id/slett-dokumenter", shipment, s.follow.Shipments.DeleteDocuments),
		on(post, "/forsendelser/:id/avbryt", followUp, s.follow.Shipments.Cancel),
		on(get, "/forsendelser/:id/tidspunkt", followUp, s.follow.Shipments.EditTime),
		on(post, "/forsendelser/:id/tidspunkt", followUp, s.follow.Shipments.ChangeTime),
		on(post, "/forsendelser/:id/bekreft", followUp, s.follow.Shipments.Confirm),
		on(post, "/forsendelser/:id/send-igjen", followUp, s.follow.Shipments.SendAgain),
		on(post, "/forsendelser/:id/avgjor", followUp, s.follow.Shipments.Decide),
		on(get, "/forsendelser/:id/fulgt-opp", followUp, s.follow.FollowUps.Edit(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/fulgt-opp", followUp, s.follow.FollowUps.Save(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(get, "/forsendelser/:id/behold", dispatch.RightHold, s.follow.Items.ShowHold(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/behold", dispatch.RightHold, s.follow.Items.ChangeHold(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/kontroller", followUp, s.follow.Items.CheckNow(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/sms", send, s.compose.OtherWay.BySMS),
		on(post, "/forsendelser/:id/let-igjen", followUp, s.follow.Shipments.LookAgain),
		on(post, "/forsendelser/:id/kopier", dispatch.RightSendShipments, s.compose.Shipments.Copy),
		on(post, "/forsendelser/:id/vis", see, s.follow.Shipments.Content().RevealNumber()),
		on(get, "/forsendelser/:id/apne", see, s.follow.Items.AskOpen(frame.ShipmentPages, s.follow.Items.ShipmentItem)),
		on(post, "/forsendelser/:id/apne", see, s.follow.Shipments.Content().Open()),
		on(get, follow.ShipmentFileRoute, see, s.follow.Shipments.File),
		on(post, follow.ShipmentFileRoute, see, s.frame.Paced(s.follow.Shipments.File)),
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
