package v1_test

import (
	"testing"

	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
)

// FuzzAnswers: see apitest.
func FuzzAnswers(f *testing.F) {
	apitest.FuzzAnswers(f, func(o shipmentapi.Options) shipmentapi.Client { return v1.New(o) })
}
