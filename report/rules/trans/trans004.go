package trans

import (
	"time"

	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
	"github.com/rdmacap/rdmacap/rocev2"
)

func trans004() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-004", Title: "Remote access error",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "An adapter refused an RDMA Read or Write, or an invalidation, for the handle, the range or the access is not allowed: " +
			"a NAK \"remote access error\", or a Terminate that says the same.",
		Why: "The connection ends with it. All calls that are open on it must be sent again on a new one, also those that had " +
			"nothing to do with the operation.",
		Advice: "Look at what the finding says of the handle. Never advertised, or another range: the end that issued the operation took it " +
			"wrong (DDP-014, DDP-015). Advertised until a reply: it came too late (DDP-016). Advertised and live: the end that " +
			"refuses took the memory back.",
		Reference: "RFC 8166, sections 4.5.3 and 8.1.4; InfiniBand Architecture 1.3, volume 1, section 9.7.5; RFC 5040, section 7; RFC 5041, section 7",
		Limits: "The memory is told only if the refused request is remembered, or the Terminate repeats its header. Case b is said " +
			"where the call had been open for a second or more, which makes it likely that somebody gave it up.",
		Causes: []string{"INV-004", "DDP-015", "DDP-014", "DDP-016", "DDP-017"},
		Cases: []rules.Case{
			{Letter: "b", Title: "the memory belongs to a call that is open for long: it was given up", Severity: rules.Error,
				Advice: "The requester took back the memory of a call that it gave up, as when its process was killed or it timed out, without " +
					"waiting for the reply. It should let such a call run to its end, or close the connection in an orderly way: " +
					"as it is, one cancelled call aborts the calls of all users of the mount."},
		},
		Needs: []rules.Knowledge{wires()},
		On:    []rules.Event{onRefused(refused004), onTerminated(terminated004)},
		Fires: []rules.Sample{
			{Name: "a write to memory that was never advertised", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x2002 100
				    noack
				    want DDP-015 frame
				nak client access psn -1
				    want TRANS-004 frame 54+1
				disconnect`},
			{Name: "a Terminate: invalid STag", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x2002 100
				    want DDP-015 frame 1
				terminate client 0/1/0
				    want TRANS-004
				    want TRANS-012
				reset client`},
			{Name: "the memory of a call that was just sent", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x1001 100
				    noack
				nak client access psn -1
				    want TRANS-004 frame 54+1
				disconnect`},
			{Name: "the memory of a call that was given up", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				wait 30s
				rdma write server 0x1001 100
				    noack
				nak client access psn -1
				    want TRANS-004b frame 54+1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a NAK of another kind", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x1001 100
				    noack
				nak client sequence psn -1
				wait 1ms
				reply 1
				disconnect`},
			{Name: "a Terminate of another kind", Over: rules.IWARP, Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				terminate client 1/2/5
				    want TRANS-012
				reset client`},
		},
	}
}

// givenUp is how long a call is open at least, in nanoseconds, that somebody may
// have given up.
const givenUp = int64(time.Second)

func refused004(c *rules.Conn, r *refusal, say rules.Say) {
	if r.syndrome != rocev2.NAKRemoteAccessError {
		return
	}
	u, uses := r.uses()
	letter, g, why := denied(c, &u, uses, r.v.Frame.Time)
	f := say.Frame(letter, r.v, "")
	if f == nil {
		return
	}
	f.Sayf("the %s refuses %s: remote access error%s", c.Sender(r.from), r.about(), why)
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
func denied(c *rules.Conn, u *memoryUse, uses bool, now int64) (letter string, g *memory.Grant, why string) {
	if !uses {
		return "", nil, ""
	}
	v, g, clause := u.judge(c, memory.Of(c))
	if clause != "" {
		why = ". It names memory " + clause
	}
	if v == memory.Fits && now-g.Since >= givenUp {
		return "b", g, why
	}
	return "", g, why
}

func terminated004(c *rules.Conn, e *ending, say rules.Say) {
	const (
		rdmapProtection = 0x01 // layer 0, type 1: Remote Protection Error
		ddpTagged       = 0x11 // layer 1, type 1: Tagged Buffer Error
	)
	if kind := e.Layer<<4 | e.EType; kind != rdmapProtection && kind != ddpTagged {
		return
	}
	letter, g, why := denied(c, &e.use, e.uses, e.v.Frame.Time)
	f := e.find(say, letter)
	if f == nil {
		return
	}
	f.Sayf("the %s refuses an operation: %v%s", c.Sender(e.from), e.Termination, why)
	e.show(f)
	if e.uses {
		e.use.show(f, g)
	}
}
