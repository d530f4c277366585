package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr002() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-002", Title: "Version field unsupported or inconsistent",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The version word of a message is none that is defined, or not the one that the connection speaks: both ends " +
			"use one version for calls, for their replies, and in both directions, from the first reply that is no error on.",
		Why: "A receiver answers a call of a version that it does not speak with ERR_VERS, and drops anything else. What " +
			"follows the fixed words is laid out by the version, so a wrong one makes the rest unreadable.",
		Advice: "Look at where the sender fills rdma_vers: a reply has to copy it from its call, and a new version may be " +
			"tried only before another was agreed on. A value that is no small number points to octets that were " +
			"overwritten, or to a header that does not begin where it should.",
		Reference: "RFC 8166, section 4.2.2; RFC 8167, sections 5.1 and 5.2",
		Gates:     rules.Gates{rules.SilentOrLikelyIf(rules.LostSince).In("b")},
		Limits: "A reply of another version is likely, and not passed over, where one of the two versions is not defined. An " +
			"RDMA_ERROR is left to HDR-013: it has the version of what it answers; a reply to a call of an undefined version to " +
			"HDR-015. Whether a message of version 2 is a call is told by its direction word.",
		Cases: []rules.Case{
			{Letter: "a", Title: "rdma_vers is neither 1 nor 2", Severity: rules.Error},
			{Letter: "b", Title: "a reply has another version than its call", Severity: rules.Error},
			{Letter: "c", Title: "a call has another version than those before it", Severity: rules.Error},
			{Letter: "d", Title: "a reverse call has another version than the connection speaks", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{onOdd(odd002)},
		Fires: []rules.Sample{
			{Name: "a call of version 9", Scene: `
				connect
				call 1 NFS3 GETATTR
				    vers 9
				    want HDR-002a 4+4
				error 1 ERR_VERS 1 1
				    vers 9
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
			{Name: "a reply of version 2 to a call of version 1", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    version 2
				    want HDR-002b 4+4
				disconnect`},
			{Name: "version 2 after version 1 was agreed on", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				call 2 NFS3 GETATTR
				    version 2
				    want HDR-002c 4+4
				disconnect`},
			{Name: "version 1 after version 2 was agreed on", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				reply 1
				call 2 NFS3 GETATTR
				    want HDR-002c 4+4
				reply 2
				disconnect`},
			{Name: "a reverse call of version 2 where calls have version 1", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				callback 7 CB_NULL
				    version 2
				    want HDR-002d 4+4
				    want CREDIT-007
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "what another protocol sends has no version", Scene: `
				connect client=none server=none port=9999
				send client bytes(64)
				send server bytes(64)
				disconnect`},
			{Name: "version 2 is tried and refused, then version 1 is spoken", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				error 1 ERR_VERS 1 1
				call 2 NFS3 GETATTR
				reply 2
				disconnect`},
		},
	}
}

// isCall reports whether a message that answers nothing is a call.
func isCall(m *dissect.Message) bool {
	h := &m.Header
	if h.Version == rpcrdma.Version1 {
		return m.Role() == dissect.RoleCall
	}
	return h.Directed() && h.Direction == rpcrdma.DirectionCall
}

func odd002(c *rules.Conn, x *odd, say rules.Say) {
	m := (*dissect.Message)(x)
	h, r, asked := &m.Header, m.RPC(), m.Request()
	v := h.Version
	answered := r != nil && r.Reply == m && r.Call != nil
	if !fixed(m) || h.Proc == rpcrdma.RDMAError {
		return
	}
	letter, expected, where := "", versionsOf(c).settled, ""
	switch {
	case v != rpcrdma.Version1 && v != rpcrdma.Version2:
		letter = "a"
	case asked != nil && asked.Version == rpcrdma.Version2 && v != rpcrdma.Version2:
		letter, expected, where = "b", asked.Version, " in the reply to a call of version %d"
	case answered && v != r.Call.Header.Version:
		letter, expected, where = "b", r.Call.Header.Version, " in the reply to a call of version %d"
	case answered || asked != nil:
		versionsOf(c).settled = v
		return
	case versionsOf(c).settled == 0 || v == versionsOf(c).settled || !isCall(m):
		return
	case c.ToServer(m.From):
		letter, where = "c", " in a call on a connection where version %d was agreed on"
	default:
		letter, where = "d", " in a reverse call on a connection where version %d was agreed on"
	}
	doubt := ""
	if letter == "b" && answered {
		if doubt = c.Doubt(r.Call.Frame(), false); doubt != "" && defined(v) && defined(expected) {
			return // the call may have been made once more, in the other version
		}
	}
	f := say.Message(letter, m, doubt)
	if f == nil {
		return
	}
	if letter == "a" {
		f.Sayf("the %s sent a message of version %d, which is not defined", c.Sender(m.From), v)
		f.See("rdma_vers", v, "1 or 2")
	} else {
		f.Sayf("rdma_vers is %d"+where, v, expected)
		f.See("rdma_vers", v, expected)
	}
	f.Word(m, rpcrdma.AtVersion)
}
