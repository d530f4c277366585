package rules

import (
	"math"
	"time"
)

// A Config has the limits that are a matter of taste.
type Config struct {
	// SlowCall and SlowFactor: a call is slow that takes longer than both
	// SlowCall and SlowFactor times the median of its procedure.
	SlowCall   time.Duration
	SlowFactor float64
	// Unanswered is how long a call may be without a reply.
	Unanswered time.Duration
	// EndGuard is how near the end of the capture nothing counts as missing.
	EndGuard time.Duration
	// Stalled is how long a server with open calls may send no RPC.
	Stalled time.Duration
	// SlowRPC is how long an RPC may take whatever others of its procedure take, LongRPC the
	// same for the few operations that may work on a whole file.
	SlowRPC, LongRPC time.Duration
	// Stall is how long nothing may move forward on a connection with calls open.
	Stall time.Duration
	// StallFactor is how many times its usual pause nothing may move forward, if that is longer than LeastStall.
	StallFactor float64
	LeastStall  time.Duration
	// Pause is how long a connection without open calls may be silent amid losses.
	Pause time.Duration
	// SlowWay is how long the way there and back may take, as adapters answer by themselves, and SlowCalls how long
	// each of several calls in a row may take, whatever they are.
	SlowWay, SlowCalls time.Duration
	// Collapse is for how long the data of calls may move at less than a tenth of their usual rate.
	Collapse time.Duration
	// SlowData is how many bytes of calls' data at least move in a second while these are on their way.
	SlowData int
	// Refusals is how many times one operation may be refused with one status.
	Refusals int
	// Leave is how soon after traffic a server that ends a connection ends it amid work.
	Leave time.Duration
	// Consequence is how long after a finding something counts as what followed.
	Consequence time.Duration
	// Pinned is how long the credit window may be full without a break, and
	// PinnedShare which part of the time that calls are open.
	Pinned      time.Duration
	PinnedShare float64
	// OpenReads is how many RDMA Reads of one end may be open where nobody
	// told the limit.
	OpenReads int
	// Reconnects is how many connections of two hosts that end with calls open within
	// ReconnectTime are a storm.
	Reconnects    int
	ReconnectTime time.Duration
	// KeyUses is in how many RPCs one handle may stand unchanged.
	KeyUses int
	// Exposure is how many bytes a chunk may have without being called excessive.
	Exposure uint64
	// LongMargin is by how many bytes a long message must have fitted inline to
	// be called needless.
	LongMargin int
	// Congestion is how many CNPs in a second are a storm.
	Congestion int
}

// DefaultConfig returns the limits that hold where nobody says otherwise.
func DefaultConfig() Config {
	return Config{
		SlowCall: 100 * time.Millisecond, SlowFactor: 10,
		Unanswered:  30 * time.Second,
		EndGuard:    time.Second,
		Stalled:     15 * time.Second,
		SlowRPC:     time.Second,
		LongRPC:     30 * time.Second,
		Stall:       time.Second,
		StallFactor: 20, LeastStall: 500 * time.Millisecond,
		Pause:       3 * time.Second,
		SlowWay:     10 * time.Millisecond,
		SlowCalls:   100 * time.Millisecond,
		Collapse:    time.Second,
		SlowData:    1_000_000,
		Refusals:    3,
		Leave:       time.Second,
		Consequence: 2 * time.Second,
		Pinned:      100 * time.Millisecond, PinnedShare: 0.1,
		OpenReads:  16,
		Reconnects: 3, ReconnectTime: time.Minute,
		KeyUses:    8,
		Exposure:   64 << 20,
		LongMargin: 512,
		Congestion: 1000,
	}
}

// limit is a limit in nanoseconds; where nobody set it there is none.
func limit(d time.Duration) int64 {
	if d == 0 {
		return math.MaxInt64
	}
	return int64(d)
}

// StallLimit is Stall in nanoseconds; where nobody set it there is none.
func (c *Config) StallLimit() int64 { return limit(c.Stall) }

// ShortestPause is how long nothing moves forward, in nanoseconds, before that counts as a pause.
const ShortestPause = 1_000_000

// StallsAt is how long nothing may move forward, in nanoseconds, where the usual pause is that long.
func (c *Config) StallsAt(usual int64) int64 {
	if c.StallFactor == 0 {
		return c.StallLimit()
	}
	times := c.StallFactor * float64(usual)
	if times >= float64(c.StallLimit()) {
		return c.StallLimit()
	}
	return min(c.StallLimit(), max(limit(c.LeastStall), int64(times)))
}

// longLimit is how long an RPC takes at least that SYM-001 or SYM-002 have anything to say of.
func (c *Config) longLimit() int64 { return min(limit(c.SlowRPC), c.StallsAt(0)) }

// SlowWayLimit, SlowCallsLimit and CollapseLimit are the same of SlowWay, SlowCalls and Collapse.
func (c *Config) SlowWayLimit() int64   { return limit(c.SlowWay) }
func (c *Config) SlowCallsLimit() int64 { return limit(c.SlowCalls) }
func (c *Config) CollapseLimit() int64  { return limit(c.Collapse) }
