package v3_test

import (
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v3 "utsending/internal/clients/shipmentapi/v3"
)

// FuzzAnswers: see apitest.
func FuzzAnswers(f *testing.F) {
	apitest.FuzzAnswers(f, func(o shipmentapi.Options) shipmentapi.Client { return v3.New(o) })
}
