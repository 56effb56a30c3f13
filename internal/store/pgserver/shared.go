package pgserver

import (
	"net/url"
	"os"
)

// SharedVariable is the environment variable with the address of a server that test programs share, as its URL is. The
// runner of the suite starts one for all packages; a package that is tested alone starts its own.
const SharedVariable = "UTSENDING_TEST_POSTGRES"

// Shared returns how databases of the shared server are reached, as Server.URL does. It is nil where there is none.
func Shared() func(database string) string {
	server, err := url.Parse(os.Getenv(SharedVariable))
	if err != nil || server.Scheme == "" {
		return nil
	}
	return func(database string) string {
		u := *server
		u.Path = "/" + database
		return u.String()
	}
}
