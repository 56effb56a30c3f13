package dispatch

// NoticeFault is why a notice was not sent. Answers of servers may name addresses, and are kept nowhere.
type NoticeFault string

// The faults.
const (
	FaultNone       NoticeFault = ""
	FaultNothing    NoticeFault = "nothing"    // there is nothing to tell any more
	FaultContent    NoticeFault = "content"    // it could not be written
	FaultConnection NoticeFault = "connection" // the server cannot be reached, or the connection broke
	FaultTime       NoticeFault = "time"       // the server did not answer in time
	FaultTLS        NoticeFault = "tls"        // no encrypted connection
	FaultLogin      NoticeFault = "login"      // the server refuses our user name and password
	FaultLater      NoticeFault = "later"      // the server asks to try later
	FaultRefused    NoticeFault = "refused"    // the server refuses the notice for good
	FaultPrivate    NoticeFault = "private"    // the address of an account's chat leads into an inner network
)

// NoticeFaults returns those that a page shows.
func NoticeFaults() []NoticeFault {
	return []NoticeFault{FaultContent, FaultConnection, FaultTime, FaultTLS, FaultLogin, FaultLater, FaultRefused, FaultPrivate}
}

// Lost tells whether the next notice would meet the same fault.
func (f NoticeFault) Lost() bool {
	return f == FaultConnection || f == FaultTime || f == FaultTLS || f == FaultLogin
}

// Final tells whether trying again is of no use.
func (f NoticeFault) Final() bool { return f == FaultRefused || f == FaultPrivate }
