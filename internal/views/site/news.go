package site

import (
	"context"

	"utsending/internal/i18n"
	"utsending/internal/views"
)

// News tells users what is new, in their words, by what they do. CHANGELOG.md has all of it, for those who run the program: what is
// added there and changes how people work gets a sentence here. news_test.go holds the two together.
func News(ctx context.Context, p views.Page, _ views.Contacts) ArticlePage {
	return ArticlePage{p, i18n.T(ctx, "news.lead"), []ArticleChapter{
		write(ctx, "sende", "news.send", nil, "news.send.1", "news.send.2", "news.send.3", "news.send.4", "news.send.5"),
		write(ctx, "folge-opp", "news.follow", nil, "news.follow.1", "news.follow.2", "news.follow.3", "news.follow.4", "news.follow.5"),
		write(ctx, "lister", "news.lists", nil, "news.lists.1", "news.lists.2", "news.lists.3"),
		write(ctx, "lede", "news.lead_page", nil, "news.lead_page.1", "news.lead_page.2", "news.lead_page.3"),
		write(ctx, "administrere", "news.admin", nil, "news.admin.1", "news.admin.2", "news.admin.3", "news.admin.4"),
		write(ctx, "lese", "news.read", nil, "news.read.1", "news.read.2", "news.read.3"),
	}}
}
