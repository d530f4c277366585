package rules

import "github.com/rdmacap/rdmacap/dissect/ring"

// A Ring keeps the newest of many.
type Ring[T any] = ring.Ring[T]
