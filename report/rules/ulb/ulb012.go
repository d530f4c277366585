package ulb

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ulb012() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Disordered, rules.Cut, rules.Protected)},
		Fields:      []string{openCreate},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{failing(), compounds()},
		On:          []rules.Event{onRepeated(repeated012)},
	}
}

func repeated012(c *rules.Conn, s *failures, report rules.Reporter) {
	before, r := s.found, s.rpc
	if before.short {
		return // V2-008
	}
	reply, write := room(&r.Call.Header)
	letter, twice := "", ""
	if reply > before.reply || write > before.write {
		if twice = nonIdempotent(c, r.CallHeader(), compoundOf(c, r)); twice == "" || before.transport != rpcrdma.Version1 {
			return
		}
		letter = "b"
	} else if refused(c, r) == "" || cantReply(&r.Reply.Header) || c.Disordered() {
		return // it was not the room, or nobody knows; or it was sent before
	}
	after, doubt := r.Call.First-before.time, ""
	if after > int64(time.Second) {
		doubt = "an application may have repeated the request"
	}
	f := report.Part(letter, r, r.Call, doubt)
	if f == nil {
		return
	}
	if letter == "b" {
		f.Messagef("the call is retried %s after %s, with more room for the reply, although %s must not be executed twice", rules.Duration(after), before.how, twice)
	} else {
		f.Messagef("the call is retried %s after %s, with the same arguments and no more room for the reply", rules.Duration(after), before.how)
	}
	f.See("room for the reply", reply+write, nil).See("room in the call that was refused", before.reply+before.write, nil)
	f.With(before.frame).Also(before.xid)
}
