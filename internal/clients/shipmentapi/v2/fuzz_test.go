package v2_test

import (
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v2 "utsending/internal/clients/shipmentapi/v2"
)

// FuzzAnswers: see apitest.
func FuzzAnswers(f *testing.F) {
	apitest.FuzzAnswers(f, func(o shipmentapi.Options) shipmentapi.Client { return v2.New(o) })
}
