package dispatch

import (
	"net/netip"
	"net/url"
	"strings"
)

// Fields of what an account says itself about alarms.
const (
	FieldChat           = "chat"
	FieldChatFormat     = "chat-format"
	FieldFailingLeast   = "feil-antall"
	FieldFailingPercent = "feil-prosent"
)

// ChatFormat is the JSON that a chat's webhook takes.
type ChatFormat string

// The formats.
const (
	ChatText ChatFormat = "text" // {"text": …}: Slack, Mattermost, Rocket.Chat
	ChatCard ChatFormat = "card" // an adaptive card: workflows of Microsoft Teams
)

// ChatFormats returns all formats.
func ChatFormats() []ChatFormat { return []ChatFormat{ChatText, ChatCard} }

// Chat is a chat's webhook. Its address is a secret: it permits writing to the chat.
type Chat struct {
	Address Secret
	Format  ChatFormat
}

// ChatAnswer is what a webhook said to a message.
type ChatAnswer struct {
	Fault  NoticeFault // FaultNone: it took the message
	Status int         // of HTTP; 0: there was no answer
	Said   string      // the beginning of its answer
}

// chatAddressMost is the longest address of a webhook; those of Teams have some hundred characters.
const chatAddressMost = 2000

// ParseChat parses the webhook that an account's administrator typed. It must be an https address outside this network; private
// allows one on an inner network too, also by http. What its name leads to is checked again when it is called.
func ParseChat(address string, format ChatFormat, private bool) (Chat, *Problem) {
	address = strings.TrimSpace(address)
	problem := func(key string) (Chat, *Problem) { return Chat{}, &Problem{Field: FieldChat, Key: key} }
	u, err := url.Parse(address)
	switch {
	case address == "":
		return problem("problem.chat.empty")
	case len(address) > chatAddressMost:
		return problem("problem.chat.long")
	case err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !private):
		return problem("problem.chat.address")
	case u.Scheme == "http" && publicHost(u.Hostname()):
		return problem("problem.chat.http")
	case !private && !publicHost(u.Hostname()):
		return problem("problem.chat.private")
	case format != ChatText && format != ChatCard:
		return Chat{}, &Problem{Field: FieldChatFormat, Key: "problem.chat.format"}
	}
	return Chat{Secret(address), format}, nil
}

// publicHost tells whether a host may be outside this network: a public IP address, or a name with a dot that is not kept for
// inner use.
func publicHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return PublicAddress(ip)
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	_, last, dotted := cutLast(host, '.')
	if !dotted || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") { // 0x7f.1 and 127.1 are written forms of 127.0.0.1
		return false
	}
	for _, inner := range []string{"localhost", "local", "internal", "lan", "intranet", "home", "corp"} {
		if last == inner {
			return false
		}
	}
	return true
}

func cutLast(text string, sep byte) (before, after string, found bool) {
	i := strings.LastIndexByte(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// innerNetworks are what netip does not call private, and still is no address on the internet.
func innerNetworks() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
		netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
		netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
	}
}

// PublicAddress tells whether an IP address is on the internet, and not on this machine or an inner network.
func PublicAddress(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, n := range innerNetworks() {
		if n.Contains(ip) {
			return false
		}
	}
	return true
}
