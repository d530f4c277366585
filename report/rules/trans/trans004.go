package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans004() rules.Check {
	return rules.Check{
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onRefused(refused004), onTerminated(terminated004)},
	}
}

// givenUp is how long a call is open at least, in nanoseconds, that somebody may
// have given up.
const givenUp = int64(time.Second)

func refused004(c *rules.Conn, r *refusal, report rules.Reporter) {
	if r.syndrome != rocev2.NAKRemoteAccessError {
		return
	}
	u, uses := r.uses()
	letter, g, why := denied(c, &u, uses, r.v.Frame.Time)
	f := report.Frame(letter, r.v, "")
	if f == nil {
		return
	}
	f.Messagef("the %s refuses %s: remote access error%s", c.Sender(r.from), r.about(), why)
	r.show(f)
	if uses {
		u.show(f, g)
	}
}

// uses is the memory that a refused request names, if any.
func (r *refusal) uses() (u memoryUse, ok bool) {
	q := r.request
	if q == nil || !q.Named || q.Kind() != rocev2.KindWrite && q.Kind() != rocev2.KindReadRequest {
		return u, false
	}
	return memoryUse{from: r.from ^ 1, handle: q.Handle, offset: q.Offset, length: uint64(q.Length), write: q.Kind() == rocev2.KindWrite}, true
}

// denied chooses the case, and says why the memory may not be used.
func denied(c *rules.Conn, u *memoryUse, uses bool, now int64) (letter string, g *memory.AdvertisedSegment, why string) {
	if !uses {
		return "", nil, ""
	}
	v, g, clause := u.check(c, memory.Of(c))
	if clause != "" {
		why = ". It names memory " + clause
	}
	if v == memory.Fits && now-g.Since >= givenUp {
		return "b", g, why
	}
	return "", g, why
}

func terminated004(c *rules.Conn, e *ending, report rules.Reporter) {
	const (
		rdmapProtection = 0x01 // layer 0, type 1: Remote Protection Error
		ddpTagged       = 0x11 // layer 1, type 1: Tagged Buffer Error
	)
	if kind := e.Layer<<4 | e.EType; kind != rdmapProtection && kind != ddpTagged {
		return
	}
	letter, g, why := denied(c, &e.use, e.uses, e.v.Frame.Time)
	f := e.findingOf(report, letter)
	if f == nil {
		return
	}
	f.Messagef("the %s refuses an operation: %v%s", c.Sender(e.from), e.Termination, why)
	e.show(f)
	if e.uses {
		e.use.show(f, g)
	}
}
