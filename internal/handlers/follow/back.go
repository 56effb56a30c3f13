package follow

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"utsending/internal/handlers/frame"
	"utsending/internal/views"
	"utsending/internal/views/follow"
)

// listLabels are the catalogue keys of pages that list items, by their place below the account; those with an id after it end in a slash.
var listLabels = map[string]string{
	"": "overview.title", "oppfolging": "nav.follow_up", "ledelse": "lead.title",
	"utsendinger": "nav.items", "forsendelser": "nav.shipments", "sms": "sms.list.title",
	"sok/": "list.search.title", "jobber/": "job.filter.back",
}

// cameFrom is the list from which an item's page was opened, with its filters. The browser says so, to pages of ours only.
func (s *Pages) cameFrom(c echo.Context, v frame.Visit) follow.BackLink {
	path := s.FormPath(c)
	u, err := url.Parse(path)
	if err != nil {
		return follow.BackLink{}
	}
	place, ok := strings.CutPrefix(u.Path, views.AccountPath(v.Account))
	list, id, found := strings.Cut(place, "/")
	switch {
	case found && frame.IsID(id) && list == "godkjenning": // the page of a decided approval is gone; the list is not
		return follow.BackLink{Path: views.AccountPath(v.Account, list), Label: "approval.title"}
	case found && frame.IsID(id):
		place = list + "/"
	}
	label := listLabels[place]
	if !ok || label == "" {
		return follow.BackLink{}
	}
	return follow.BackLink{Path: path, Label: label}
}
