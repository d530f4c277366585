package rules

import "time"

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
	// Consequence is how long after a finding something counts as what followed.
	Consequence time.Duration
	// Pinned is how long the credit window may be full without a break, and
	// PinnedShare which part of the time that calls are open.
	Pinned      time.Duration
	PinnedShare float64
	// OpenReads is how many RDMA Reads of one end may be open where nobody
	// told the limit.
	OpenReads int
	// Reconnects is how many times a client may connect anew within ReconnectTime.
	Reconnects    int
	ReconnectTime time.Duration
	// KeyUses is in how many RPCs one handle may stand unchanged.
	KeyUses int
	// Exposure is how many octets a chunk may have without being called excessive.
	Exposure uint64
	// LongMargin is by how many octets a long message must have fitted inline to
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
