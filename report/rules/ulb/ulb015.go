package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
	"github.com/rdmacap/rdmacap/report/rules/size"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ulb015() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-015", Title: "Callback with means that its client need not have",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A server's call to its client uses a Position-Zero Read chunk or a Reply chunk although the client's session shows that it does " +
			"not support long callbacks, or does something else that callbacks over RDMA should not.",
		Why: "A client says by a ca_maxrequestsize above the inline threshold that it can deal with long callbacks. Others implement no chunks " +
			"in this direction; they answer ERR_CHUNK, and the server revokes what it could not recall.",
		Advice: "Let the server send callbacks inline, and split those that do not fit.",
		Reference: "RFC 8267, sections 6.5.1 and 6.5.2; RFC 8167, section 5.3; draft-dnoveck-nfsv4-nfsulb-01, " +
			"sections 5.4.1 and 5.4.2",
		Gates: rules.Gates{
			rules.SilentIf(rules.Uncalled, rules.Cut),
			rules.LikelyIf(rules.BeganLate).In("a"),
			rules.SilentIf(rules.OneDirection, rules.Lossy, rules.AnyCut).Of("long callbacks of version 2"),
			rules.SilentIf(rules.Protected).In("bc"),
		},
		Limits: "Case a is a warning where it is only likely, which it is too if the session is not known. Callbacks are those from " +
			"the server of the connection. Case a is silent in version 2 where the client announced in XCHAR_BRS what it takes: " +
			"XCHAR-011 goes by that.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a long callback although the session allows none", Severity: rules.Error},
			{Letter: "b", Title: "a callback of minor version 0 over RDMA", Severity: rules.Note,
				Advice: "Nothing needs to be done, but most peers of minor version 0 use a TCP connection of its own for callbacks."},
			{Letter: "c", Title: "CB_GETATTR asks for attributes without a limit and offers no Reply chunk", Severity: rules.Warning,
				Advice: "Ask for attributes whose size is known, such as change and size."},
		},
		Fields: append(sessionFields(), cbGetattrRequest),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{creating(), setup.ReceivedKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.Backward, rpc015), rules.OnPosted(judge015)},
		Fires: []rules.Sample{
			{Name: "a Reply chunk for a client that takes 1024 octets", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096} csr_back_chan_attrs={maxrequestsize=1024 maxresponsesize=1024}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL]
				    replychunk 0x801 1024
				    want ULB-015a replychunk
				reply 2
				disconnect`},
			{Name: "a long callback for a client whose session nobody saw", Scene: `
				call 1 NFS4 NULL
				reply 1
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_RECALL]
				    long 0x801 4096
				    want ULB-015a
				reply 2`},
			{Name: "a Reply chunk in version 2, for a client that takes 4096 octets", Scene: `
				connect version=2
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096} csr_back_chan_attrs={maxrequestsize=4096 maxresponsesize=4096}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL]
				    replychunk 0x801 1024
				    want ULB-015a replychunk
				reply 2
				disconnect`},
			{Name: "a callback of minor version 0", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_COMPOUND [CB_RECALL]
				    want ULB-015b
				reply 2
				disconnect`},
			{Name: "the ACL of a file in a short reply", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_GETATTR{attr_request=[SIZE ACL]}]
				    want ULB-015c
				reply 2
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a long callback to a client that takes 65536 octets", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096} csr_back_chan_attrs={maxrequestsize=65536 maxresponsesize=4096}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL]
				    replychunk 0x801 1024
				reply 2
				disconnect`},
			{Name: "a client of version 2 that takes calls of any kind", Scene: `
				connect version=2
				optional 9 client INIT_XCHAR [BRS=GENL]
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1 [CREATE_SESSION{csr_sessionid="0123456789abcdef" csr_fore_chan_attrs={maxresponsesize=4096} csr_back_chan_attrs={maxrequestsize=4096 maxresponsesize=4096}}]
				callback 2 CB_COMPOUND [CB_SEQUENCE{sessionid="0123456789abcdef"} CB_RECALL]
				    replychunk 0x801 1024
				reply 2
				disconnect`},
			{Name: "change and size of a file", Scene: `
				connect
				call 1 NFS4 COMPOUND [CREATE_SESSION{flags=2}]
				reply 1
				callback 2 CB_COMPOUND [CB_SEQUENCE CB_GETATTR{attr_request=[CHANGE SIZE]}]
				reply 2
				disconnect`},
		},
	}
}

func rpc015(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	if !callback(c, r) || !c.Sound(r.Call) || !c.Called(r) {
		return
	}
	h := &r.Call.Header
	_, long := h.PositionZero()
	b := values.Walked(c, r.Call)
	if long || h.HasReply && h.ChunkLength(h.Reply) > 0 {
		long015(c, r, b, long)
	}
	if b == nil || called(c, r) == nil || r.CallHeader().Procedure != values.ProcCompound {
		return
	}
	if v, ok := minorVersion(b); ok && v == 0 {
		if f := say.Part("b", r, r.Call, ""); f != nil {
			f.Sayf("the server sends a callback of minor version 0 over the connection").See("minorversion", v, nil)
		}
	}
	for i := values.Next(b, 0, values.OpCBGetattr); i >= 0 && !h.HasReply; i = values.Next(b, i+1, values.OpCBGetattr) {
		if name := size.UnboundedIn(b, all(c).callbackAttributes.In(b, values.Within(b, i))); name != "" {
			if f := say.Part("c", r, r.Call, ""); f != nil {
				f.Sayf("CB_GETATTR asks for %s, which has no limit, and the call offers no Reply chunk", name)
				f.See("attr_request", name, "attributes of a known size")
				f.Body(r.Call, b, int(b.Events[i].Offset), xdr.WordSize)
			}
		}
	}
}

// longCallback is one that has a Position-Zero Read chunk or a Reply chunk.
type longCallback struct {
	about  *rules.About
	what   string    // it has
	own    sessionID // its session, if it is known by hasOwn
	hasOwn bool
	newest *session // the one that was created on the connection last, nil if none was
	limit  int      // the inline threshold, if it is known
	known  bool
}

func long015(c *rules.Conn, r *dissect.RPC, b *dissect.Body, call bool) {
	if announced(c, r.Requester.Peer(), r.Call) {
		return // what a client of version 2 says of itself counts, and is XCHAR-011's
	}
	x := longCallback{about: rules.AboutPart(r, r.Call), what: "a Reply chunk"}
	x.limit, x.known = threshold(c, r.Requester, r.Call)
	if !x.known && r.Call.Header.Version == rpcrdma.Version2 {
		return // it may have said so
	}
	if call {
		x.what = "a Position-Zero Read chunk"
		x.about.ReadSegment(r.Call, 0)
	} else {
		x.about.ReplyChunk(r.Call)
	}
	if k := ifAny(c); k != nil {
		x.newest = k.newest
	}
	if b != nil {
		q, ok := sequenceOf(b)
		x.own, x.hasOwn = q.session, ok
	}
	rules.Post(c, x)
}

// judge015 compares with the session of the callback.
func judge015(e *rules.Entry, x *longCallback, say rules.Say) {
	s, doubt := x.newest, ""
	if own := across(e.Across).sessions.known[x.own]; x.hasOwn && own != nil {
		s = own
	}
	switch {
	case s == nil:
		say, doubt = say.As(rules.Warning), "the session was created before the capture began, or elsewhere"
	case !x.known:
		say, doubt = say.As(rules.Warning), rules.DoubtLate
	case s.backRequest > uint64(x.limit):
		return
	}
	f := say.About("a", x.about, doubt)
	if f == nil {
		return
	}
	f.Sayf("the callback has %s", x.what)
	if s != nil {
		f.Sayf("the callback has %s, and the client takes requests of at most %d octets", x.what, s.backRequest).With(s.frame)
		f.See("ca_maxrequestsize of the back channel", s.backRequest, nil)
	}
	if x.known {
		f.See("inline threshold", x.limit, nil)
	}
}
