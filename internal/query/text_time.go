package query

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// Units of time, in nanoseconds.
const (
	nanosecond  = 1
	microsecond = 1000
	second      = 1_000_000_000
)

// valueTime gives a time: a number of seconds since 1970, or a struct of that and
// a fraction in some unit.
func valueTime(t *types.Type, unit int64) valueOf {
	if t.Kind != types.Struct {
		return func(_ *dissect.Body, e *walk.Event, to *filter.Values) { to.Time(seconds(int64(e.Value), 0)) }
	}
	return func(b *dissect.Body, e *walk.Event, to *filter.Values) {
		if ns, ok := pair(t, opaqueOf(b, e), unit); ok {
			to.Time(ns)
		}
	}
}

// valueDuration gives a span of time that is written the same way.
func valueDuration(t *types.Type) valueOf {
	if t.Kind != types.Struct {
		return func(_ *dissect.Body, e *walk.Event, to *filter.Values) {
			to.Duration(time.Duration(seconds(int64(e.Value), 0)))
		}
	}
	return func(b *dissect.Body, e *walk.Event, to *filter.Values) {
		if ns, ok := pair(t, opaqueOf(b, e), nanosecond); ok {
			to.Duration(time.Duration(ns))
		}
	}
}

// pair reads seconds and a fraction; the result is in nanoseconds.
func pair(t *types.Type, data []byte, unit int64) (ns int64, ok bool) {
	whole, rest, ok := number(t.Fields[0].Type, data)
	if !ok {
		return 0, false
	}
	fraction, rest, ok := number(t.Fields[1].Type, rest)
	if !ok || len(rest) > 0 {
		return 0, false
	}
	return seconds(whole, fraction*unit), true
}

// number reads a word or hyper, and returns the bytes after it.
func number(t *types.Type, data []byte) (v int64, rest []byte, ok bool) {
	switch wide := t.Kind == types.Hyper || t.Kind == types.UnsignedHyper; {
	case wide && len(data) >= 8:
		return int64(binary.BigEndian.Uint64(data)), data[8:], true
	case !wide && len(data) >= 4 && t.Kind == types.Int:
		return int64(int32(binary.BigEndian.Uint32(data))), data[4:], true
	case !wide && len(data) >= 4:
		return int64(binary.BigEndian.Uint32(data)), data[4:], true
	}
	return 0, nil, false
}

// seconds are so many seconds and nanoseconds, in nanoseconds; the nearest
// number that there is if they do not fit.
func seconds(whole, ns int64) int64 {
	const most = math.MaxInt64/second - 1
	switch {
	case whole > most || ns > math.MaxInt64/2:
		return math.MaxInt64
	case whole < -most:
		return math.MinInt64
	}
	return whole*second + ns
}
