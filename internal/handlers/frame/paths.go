package frame

import (
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"utsending/internal/dispatch"
	"utsending/internal/views"
)

// DraftPath is an address of a shipment's draft.
func DraftPath(v Visit, id dispatch.ItemID, parts ...string) string {
	return views.AccountPath(v.Account, append([]string{"utkast", string(id)}, parts...)...)
}

// JobPath is an address of a job.
func JobPath(v Visit, id dispatch.JobID, more ...string) string {
	return views.AccountPath(v.Account, append([]string{"jobber", string(id)}, more...)...)
}

// LongDownload extends the write deadline: a file of 50 000 rows takes seconds.
func LongDownload(c echo.Context) {
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(10 * time.Minute)) // on error the server's own deadline holds
}

func escape(path string) string { return url.QueryEscape(path) }

// SignInsPath is the page of one's own sign-ins.
const SignInsPath = "/min-side/innlogginger"

// UploadRoutes are the routes whose body may be large; they limit it themselves.
var UploadRoutes = []string{"/k/:konto/utkast/:id/dokumenter", "/k/:konto/sms/ny/flere", "/k/:konto/jobber/:id/liste", "/k/:konto/utkast/:id/flere/liste",
	"/k/:konto/utkast/:id/flere/filer"}

// AppearancePath is the page of the municipality's name, colours and logo.
const AppearancePath = "/admin/utseende"

// maxLogoForm is the maximum size of the form with a logo: pictures that are too large as a logo are told so at the field, up to this.
const maxLogoForm = 4 << 20

// FormLimit is the maximum size of a route's form, which is read into memory.
func FormLimit(route string) int64 {
	if route == AppearancePath {
		return maxLogoForm
	}
	return MaxForm
}
