package views

import (
	"context"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
)

// plainer maps catalogue keys whose texts advise what to do to the keys of what they say to those who can do nothing about it.
var plainer = map[string]string{
	"cause.uncertain.brief":           "plain.uncertain",
	"cause.waiting.brief":             "cause.waiting.why",
	"overview.cause.waiting":          "plain.waiting",
	"recall.ask.how":                  "plain.recall.ask",
	"recall.doubt.how":                "plain.recall.doubt",
	"recall.here.how":                 "plain.recall.here",
	"stage.asking.why":                "plain.asking",
	"stage.uncertain.shipment.decide": "plain.uncertain.decide",
	"stage.uncertain.shipment.later":  "plain.uncertain.later",
	"stage.uncertain.shipment.now":    "plain.uncertain.now",
	"stage.uncertain.why":             "plain.uncertain.why",
}

// endedPlainer is the same of texts that advise to correct an item or send it again.
var endedPlainer = map[string]string{
	"wrong.after.right":                       "plain.wrong.right",
	"reason.invalid":                          "plain.invalid",
	"reason.invalid.shipment":                 "plain.invalid.shipment",
	"reason.rejected":                         "plain.rejected",
	"reason.rejected.shipment":                "plain.rejected",
	"reason.too_large":                        "plain.too_large",
	"reason.too_large.shipment":               "plain.too_large",
	"signing.UTLOPT.why":                      "plain.signing_over",
	"status.shipment.AVVIST.why":              "plain.dismissed",
	"status.shipment.FEILET_UNDER_MOTTAK.why": "plain.failed",
	"status.shipment.IKKE_LEVERT.digital":     "plain.digital",
	"status.shipment.IKKE_LEVERT.why":         "status.shipment.IKKE_LEVERT.paper",
	"status.sms.IKKE_SENDT.why":               "plain.unsent",
}

type onlookerKey struct{}

// onlooker is what the reader of sentences about an item may not do.
type onlooker struct{ follow, again bool }

// Advising returns a context in which sentences about an item advise what to do, or only tell what happened if the reader may not act.
func Advising(ctx context.Context, acts bool) context.Context {
	return context.WithValue(ctx, onlookerKey{}, onlooker{!acts, !acts})
}

// Advice is Advising for the reader of a page with an item on its account: who follows up may still not correct a colleague's item.
func (p *Page) Advice(ctx context.Context, it dispatch.Item) context.Context {
	it.AccountID = p.Account.ID
	return p.AdviceAt(ctx, it, p.User.Reach(it), false)
}

// AdviceAt is Advice where the page knows the reader's access to the item's content, and whether the content is deleted: then nobody can
// send it again.
func (p *Page) AdviceAt(ctx context.Context, it dispatch.Item, r dispatch.Reach, deleted bool) context.Context {
	return context.WithValue(ctx, onlookerKey{}, onlooker{!p.May(dispatch.RightFollowUp), deleted || !p.MayCorrect(it, r)})
}

// MayCorrect tells whether the reader may copy an item on the page's account, to correct it and send it again: they may open its content,
// and send such items.
func (p *Page) MayCorrect(it dispatch.Item, r dispatch.Reach) bool {
	return r != dispatch.ReachNone && p.May(SendRight(it.Kind))
}

// SendRight is the right to send items of a kind.
func SendRight(k dispatch.Kind) dispatch.Right {
	if k == dispatch.KindSMS {
		return dispatch.RightSendSMS
	}
	return dispatch.RightSendShipments
}

// Told is the text of a key about an item, without advice in a context in which the reader may not act.
func Told(ctx context.Context, key string, values ...any) string {
	only, _ := ctx.Value(onlookerKey{}).(onlooker)
	if plain, ok := plainer[key]; ok && only.follow {
		key = plain
	}
	if plain, ok := endedPlainer[key]; ok && only.again {
		key = plain
	}
	return i18n.T(ctx, key, values...)
}
