package ulb

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

func ulb020() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Fields:      append(values.BackChannelFields(), boundTo, copySynchronous, copyCallback, offloaded, askedFor, cancelled),
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On: []rules.Event{
			rules.OnRPC(rules.Compound, status020), onCompound(set(numbers.OpBindConnToSession, numbers.OpCreateSession, numbers.OpCopy, numbers.OpOffloadCancel, numbers.OpOffloadStatus), compound020),
			rules.OnRPC(rules.ReverseDirection, offload020), rules.OnPublished(copied020), rules.OnPublished(done020), rules.OnOver(over020),
		},
	}
}

const (
	boundTo         = "BIND_CONN_TO_SESSION4res.bctsr_resok4.bctsr_dir"
	copySynchronous = "COPY4res.cr_resok4.cr_requirements.cr_synchronous"
	copyCallback    = "COPY4res.cr_resok4.cr_response.wr_callback_id.other"
	askedFor        = "OFFLOAD_STATUS4args.osa_stateid.other"
	cancelled       = "OFFLOAD_CANCEL4args.oca_stateid.other"
	offloaded       = "CB_OFFLOAD4args.coa_stateid.other"
)

// The flags of SEQUENCE that say that the back channel is down (RFC 8881, section 18.46.3).
const (
	pathDown        = 0x1
	pathDownSession = 0x200
	channelFault    = 0x400
	allDown         = pathDown | pathDownSession | channelFault
)

// leastDown and shortestDown are how many answers in a row have to say so, and for how long: right after a session is created
// or bound, a server may not know yet.
const (
	leastDown    = 3
	shortestDown = int64(time.Second)
)

// down is what the server says of the back channel on a connection.
type down struct {
	run     run // the one that goes on
	longest run
	refused int  // BIND_CONN_TO_SESSIONs that asked for a back channel and got none
	asked   bool // the client wants one
}

// A run are answers in a row that say that the back channel is down.
type run struct {
	n           int
	flags       uint32
	renew       bool // they are of RENEW
	first, last flow.Moment
}

func (r *run) long() bool { return r.n >= leastDown && r.last.Time-r.first.Time >= shortestDown }

// status020 looks at what a reply says of the back channel.
func status020(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Reply == nil || r.Requester != c.ClientEnd || c.Cut(r.Reply) {
		return
	}
	flags, renew, says := channelStatus(r.Reply.BodyBytes())
	if !says {
		return
	}
	k := state.IfAny(c)
	if flags == 0 && (k == nil || k.down == nil) {
		return
	}
	d := rules.Some(&state.Of(c).down)
	if flags == 0 {
		d.run = run{}
		return
	}
	if d.run.n == 0 {
		d.run.first = r.Reply.Moment()
	}
	d.run.n++
	d.run.flags |= flags
	d.run.renew = renew
	d.run.last = r.Reply.Moment()
	if d.run.n > d.longest.n {
		d.longest = d.run
	}
}

// channelStatus is what the results of a COMPOUND begin with, if that is SEQUENCE or RENEW: the flags of the former
// that say that the back channel is down, or the status of the latter as pathDown.
func channelStatus(b []byte) (flags uint32, renew, ok bool) {
	const status, count, op = 4, 4, 4 // bytes
	tag, ok := xdr.WordAt(b, status)
	if !ok {
		return 0, false, false
	}
	at := status + xdr.WordSize + xdr.Padded(tag) + count
	if at+op+xdr.WordSize > uint64(len(b)) {
		return 0, false, false
	}
	first, result := binary.BigEndian.Uint32(b[at:]), binary.BigEndian.Uint32(b[at+op:])
	switch first {
	case numbers.OpRenew:
		if result == numbers.StatusCBPathDown {
			return pathDown, true, true
		}
		return 0, true, result == 0
	case numbers.OpSequence:
		const toFlags = 16 + 4*4 // the session's name, the sequence number and three slots
		word, has := xdr.WordAt(b, int(at)+op+xdr.WordSize+toFlags)
		return word & allDown, false, has && result == 0
	}
	return 0, false, false
}

// compound020 looks at what asks for a back channel, and at what is to end by a callback.
func compound020(c *rules.Conn, x *compound, _ rules.Reporter) {
	if r := x.rpc; r.Requester == c.ClientEnd {
		s := all(c)
		s.bind020(c, x)
		if x.has.has(numbers.OpCopy) {
			s.copy020(c, r)
		}
		s.asked020(c, x)
	}
}

// bind020 notes what a client asks for, and what it gets.
func (s *shared) bind020(c *rules.Conn, x *compound) {
	if s.back == nil {
		s.back = values.NewBackChannel()
	}
	if !s.back.Asks(x.call) {
		return
	}
	d := rules.Some(&state.Of(c).down)
	d.asked = true
	b := values.Walked(c, x.rpc.Reply)
	if b == nil {
		return
	}
	const onlyFore = 1 // CDFS4_FORE
	if at := values.Next(b, 0, numbers.OpBindConnToSession); at >= 0 {
		if e := s.boundTo.In(b, values.Within(b, at)); e != nil && e.Value == onlyFore {
			d.refused++
		}
	}
}

// over020 reports a back channel that was down.
func over020(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	reportCopies(e, c, report)
	k := state.IfAny(c)
	if k == nil || k.down == nil || !k.down.longest.long() {
		return
	}
	d, server := k.down, c.ClientEnd.Peer()
	doubt := ""
	if !d.asked {
		doubt = "the capture does not have the call that requests a backchannel: the client may not want one"
	}
	r := &d.longest
	f := report.Moment("", r.first.Ref, r.first.Time, &server, doubt)
	if f == nil {
		return
	}
	f.With(r.last.Ref)
	if r.renew {
		f.Messagef("the server answered RENEW %d times in %s with NFS4ERR_CB_PATH_DOWN", r.n, rules.Duration(r.last.Time-r.first.Time))
	} else {
		f.Messagef("the server reported %s in %d replies to SEQUENCE in a row, for %s", flagNames(r.flags), r.n, rules.Duration(r.last.Time-r.first.Time))
	}
	f.See("replies that say so", r.n, 0).See("last in frame", e.FrameName(r.last.Ref), nil)
	if d.refused > 0 {
		times := "once"
		if d.refused > 1 {
			times = fmt.Sprintf("%d times", d.refused)
		}
		f.Message += "; BIND_CONN_TO_SESSION requested a backchannel and got none, " + times
		f.See("BIND_CONN_TO_SESSION without a backchannel", d.refused, 0)
	}
}

// flagNames names flags of SEQUENCE.
func flagNames(flags uint32) string {
	var list []string
	for _, x := range [...]struct {
		bit  uint32
		name string
	}{{pathDown, "CB_PATH_DOWN"}, {pathDownSession, "CB_PATH_DOWN_SESSION"}, {channelFault, "BACKCHANNEL_FAULT"}} {
		if flags&x.bit != 0 {
			list = append(list, x.name)
		}
	}
	return strings.Join(list, ", ")
}
