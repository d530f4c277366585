package rules

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Setting is an entry of the configuration file: the file that is printed, the
// parser and the manual's table come from the list of them.
type Setting struct {
	// Name is its key in the file.
	Name string
	// Meaning says what it limits, Of which rules ask for it.
	Meaning, Of string

	// at is where it goes: a *time.Duration, *int, *uint64 or *float64.
	at func(c *Config) any
	// least and most bound it; of a duration in nanoseconds. most 0 is no bound.
	least, most float64
}

// Settings are all of them, in the order of the file.
func Settings() []Setting {
	return []Setting{
		{Name: "slow_call", Of: "RPC-007", at: func(c *Config) any { return &c.SlowCall },
			Meaning: "A call is slow if it takes longer than this, and longer than slow_factor times the median of its procedure."},
		{Name: "slow_factor", Of: "RPC-007", least: 1, at: func(c *Config) any { return &c.SlowFactor },
			Meaning: "How many times the median of its procedure a call must take to be slow."},
		{Name: "unanswered", Of: "RPC-001", at: func(c *Config) any { return &c.Unanswered },
			Meaning: "How long a call may go without a reply."},
		{Name: "end_guard", Of: "all rules about something missing", at: func(c *Config) any { return &c.EndGuard },
			Meaning: "How close to the end of the capture nothing counts as missing, since it may only be late."},
		{Name: "stalled", Of: "CREDIT-010", at: func(c *Config) any { return &c.Stalled },
			Meaning: "How long a server with open calls may send no RPC message."},
		{Name: "slow_rpc", Of: "SYM-002", least: 1, at: func(c *Config) any { return &c.SlowRPC },
			Meaning: "How long an RPC may take, however long others of its procedure take."},
		{Name: "long_rpc", Of: "SYM-002", least: 1, at: func(c *Config) any { return &c.LongRPC },
			Meaning: "The same for operations that may work on a whole file: COPY, CLONE, ALLOCATE, DEALLOCATE, ZERO_RANGE."},
		{Name: "stall", Of: "SYM-001", least: 1, at: func(c *Config) any { return &c.Stall },
			Meaning: "How long a connection with open calls may make no progress."},
		{Name: "stall_factor", Of: "SYM-001", least: 1, at: func(c *Config) any { return &c.StallFactor },
			Meaning: "How many times its usual pause a connection may make no progress, if that is longer than least_stall."},
		{Name: "least_stall", Of: "SYM-001", least: 1, at: func(c *Config) any { return &c.LeastStall },
			Meaning: "The shortest time without progress that is compared with the usual pause."},
		{Name: "pause", Of: "SYM-010", least: 1, at: func(c *Config) any { return &c.Pause },
			Meaning: "How long a connection without open calls may be silent after retransmissions."},
		{Name: "slow_way", Of: "SYM-011", least: 1, at: func(c *Config) any { return &c.SlowWay },
			Meaning: "The round-trip time, measured by what adapters answer by themselves, that eight answers in a row may exceed."},
		{Name: "slow_calls", Of: "SYM-011b", least: 1, at: func(c *Config) any { return &c.SlowCalls },
			Meaning: "How long each of eight consecutive calls may take, whatever they are."},
		{Name: "collapse", Of: "SYM-007", least: 1, at: func(c *Config) any { return &c.Collapse },
			Meaning: "How long data may move at less than a tenth of the usual rate while calls wait for it."},
		{Name: "slow_data", Of: "SYM-007", at: func(c *Config) any { return &c.SlowData },
			Meaning: "How many bytes per second are too few, whatever the usual rate, while data is in flight most of the time."},
		{Name: "refusals", Of: "SYM-003", least: 1, at: func(c *Config) any { return &c.Refusals },
			Meaning: "How many times an operation must fail with the same status to be reported."},
		{Name: "leave", Of: "SYM-009", at: func(c *Config) any { return &c.Leave },
			Meaning: "How soon after traffic a server must end a connection without open calls for that to count as in the middle of work."},
		{Name: "consequence", Of: "the consequences of a finding", at: func(c *Config) any { return &c.Consequence },
			Meaning: "How long after a finding a NAK, or the end of the connection, counts as its consequence."},
		{Name: "pinned", Of: "CREDIT-009", at: func(c *Config) any { return &c.Pinned },
			Meaning: "How long the credit window may be full without interruption."},
		{Name: "pinned_share", Of: "CREDIT-009", most: 1, at: func(c *Config) any { return &c.PinnedShare },
			Meaning: "The fraction of the time with open calls in which the credit window may be full, from 0 to 1."},
		{Name: "open_reads", Of: "TRANS-008", least: 1, at: func(c *Config) any { return &c.OpenReads },
			Meaning: "How many RDMA Reads of one end may be outstanding if the setup, which has the limit, was not captured."},
		{Name: "reconnects", Of: "SYM-006", least: 1, at: func(c *Config) any { return &c.Reconnects },
			Meaning: "How many connections between two hosts must end with open calls within reconnect_time to be a storm."},
		{Name: "reconnect_time", Of: "SYM-006", at: func(c *Config) any { return &c.ReconnectTime },
			Meaning: "The time in which these are counted."},
		{Name: "key_uses", Of: "SEC-001", least: 1, at: func(c *Config) any { return &c.KeyUses },
			Meaning: "How many RPCs may advertise the same handle."},
		{Name: "exposure", Of: "SEC-004", least: 1, at: func(c *Config) any { return &c.Exposure },
			Meaning: "The largest chunk, in bytes, that is not excessive."},
		{Name: "long_margin", Of: "THRESH-007, THRESH-008", at: func(c *Config) any { return &c.LongMargin },
			Meaning: "By how many bytes a long message must have fit inline to be reported as needless."},
		{Name: "congestion", Of: "TRANS-010", least: 1, at: func(c *Config) any { return &c.Congestion },
			Meaning: "How many congestion notification packets (CNP) per second are a storm."},
	}
}

// Default is the value that holds where nobody says otherwise, as it stands in a file.
func (s *Setting) Default() string {
	c := DefaultConfig()
	switch p := s.at(&c).(type) {
	case *time.Duration:
		return strconv.Quote(shortest(*p))
	case *float64:
		return strconv.FormatFloat(*p, 'f', -1, 64)
	case *int:
		return strconv.Itoa(*p)
	case *uint64:
		return strconv.FormatUint(*p, 10)
	}
	return ""
}

// shortest spells a duration without units that are zero: "1m", not "1m0s".
func shortest(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "us"}} {
		if d >= u.unit && d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	return d.String()
}

// set takes a value of a file: a string, an int64, a float64 or another type of TOML.
func (s *Setting) set(c *Config, v any) error {
	switch p := s.at(c).(type) {
	case *time.Duration:
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf(`%s takes a duration in quotes, such as %s`, s.Name, s.Default())
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf(`%s: %q is not a duration; write a number with a unit, such as %s`, s.Name, text, s.Default())
		}
		*p = d
		return s.bounds(float64(d))
	case *float64:
		switch n := v.(type) {
		case float64:
			*p = n
		case int64:
			*p = float64(n)
		default:
			return fmt.Errorf("%s takes a number, such as %s", s.Name, s.Default())
		}
		return s.bounds(*p)
	default:
		n, ok := v.(int64)
		if !ok {
			return fmt.Errorf("%s takes a whole number, such as %s", s.Name, s.Default())
		}
		if err := s.bounds(float64(n)); err != nil {
			return err
		}
		switch p := p.(type) {
		case *int:
			*p = int(n)
		case *uint64:
			*p = uint64(n)
		}
		return nil
	}
}

// bounds holds a value against least and most. It is written so that NaN fails.
func (s *Setting) bounds(v float64) error {
	if v >= s.least && (s.most == 0 || v <= s.most) {
		return nil
	}
	if s.most > 0 {
		return fmt.Errorf("%s must be from %v to %v", s.Name, s.least, s.most)
	}
	return fmt.Errorf("%s must be at least %v", s.Name, s.least)
}

// settingNamed finds a setting.
func settingNamed(name string) (*Setting, bool) {
	list := Settings()
	i := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return nil, false
	}
	return &list[i], true
}
