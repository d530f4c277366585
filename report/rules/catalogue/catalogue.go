// Package catalogue lists the rules of all families. What it lists is generated
// from the folders: a rule that is added is found by
//
//	go generate ./report/rules/catalogue
package catalogue

import (
	"slices"

	"github.com/rdmacap/rdmacap/report/rules"
)

//go:generate go run ../../../internal/rulegen ..

// All returns the rules of all families, in the order of the catalogue.
func All() []*rules.Rule { return slices.Concat(families()...) }
