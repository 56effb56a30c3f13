package views

import (
	"context"

	"utsending/internal/i18n"
)

// plainer maps catalogue keys whose texts advise what to do to the keys of what they say to those who can do nothing about it.
var plainer = map[string]string{
	"cause.uncertain.brief":                   "plain.uncertain",
	"cause.waiting.brief":                     "cause.waiting.why",
	"overview.cause.waiting":                  "plain.waiting",
	"recall.ask.how":                          "plain.recall.ask",
	"recall.doubt.how":                        "plain.recall.doubt",
	"recall.here.how":                         "plain.recall.here",
	"stage.asking.why":                        "plain.asking",
	"wrong.after.right":                       "plain.wrong.right",
	"reason.invalid":                          "plain.invalid",
	"reason.invalid.shipment":                 "plain.invalid.shipment",
	"reason.rejected":                         "plain.rejected",
	"reason.rejected.shipment":                "plain.rejected",
	"reason.too_large":                        "plain.too_large",
	"reason.too_large.shipment":               "plain.too_large",
	"signing.UTLOPT.why":                      "plain.signing_over",
	"stage.uncertain.shipment.decide":         "plain.uncertain.decide",
	"stage.uncertain.shipment.later":          "plain.uncertain.later",
	"stage.uncertain.shipment.now":            "plain.uncertain.now",
	"stage.uncertain.why":                     "plain.uncertain.why",
	"status.shipment.AVVIST.why":              "plain.dismissed",
	"status.shipment.FEILET_UNDER_MOTTAK.why": "plain.failed",
	"status.shipment.IKKE_LEVERT.digital":     "plain.digital",
	"status.shipment.IKKE_LEVERT.why":         "status.shipment.IKKE_LEVERT.paper",
	"status.sms.IKKE_SENDT.why":               "plain.unsent",
}

type onlookerKey struct{}

// Advising returns a context in which sentences about an item advise what to do, or only tell what happened if the reader may not act.
func Advising(ctx context.Context, acts bool) context.Context {
	return context.WithValue(ctx, onlookerKey{}, !acts)
}

// Told is the text of a key about an item, without advice in a context in which the reader may not act.
func Told(ctx context.Context, key string, values ...any) string {
	if only, _ := ctx.Value(onlookerKey{}).(bool); only {
		if plain, ok := plainer[key]; ok {
			key = plain
		}
	}
	return i18n.T(ctx, key, values...)
}
