package bind

import (
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A Survey looks through a captured conversation before it is replayed: what of its calls no
// reply of the capture has given. Calls and replies are to be given in the order of the
// capture. It is for one goroutine.
//
// It is a replay to the captured server itself: every reply is tied to itself, and what is
// unbound then is unbound on any server.
type Survey struct {
	binder *Binder
	root   []byte
	export string
}

// NewSurvey returns a Survey, as New does.
func NewSurvey(specs ...*types.Spec) (*Survey, error) {
	b, err := New(Options{}, specs...)
	if err != nil {
		return nil, err
	}
	return &Survey{binder: b}, nil
}

// Call looks at a call and returns what nothing before it has given: in Rewritten.Unbound.
// Its Reply is for Survey.Reply.
func (s *Survey) Call(captured Message) (*Call, error) {
	c, err := s.binder.Call(captured)
	if err != nil {
		return nil, err
	}
	for _, u := range c.Unbound {
		if u.Kind == types.Handles.String() && s.root == nil && captured.Program == rpc.ProgramNFS && captured.Version < version4 {
			s.root = u.Value
		}
	}
	if captured.Program == rpc.ProgramMount && captured.Procedure == procMount && s.export == "" {
		s.export = mountPath(c.Bytes)
	}
	return c, nil
}

// procMount is MNT of MOUNT (RFC 1813, section 5.2.1).
const procMount = 1

// mountPath is the path that a MOUNT call names.
func mountPath(call []byte) string {
	var header rpc.Call
	header.Decode(call)
	x := xdr.NewCursor(call[min(header.Length, len(call)):], "path cut short")
	return string(x.Opaque(1024))
}

// Reply looks at what the reply to a call gives.
func (s *Survey) Reply(call *Call, captured Message) { call.Reply(&captured, captured) }

// Root is the handle that calls of NFS version 2 or 3 use first and no reply has given: that of
// the root, usually. It is nil if there is none, as in NFS version 4.
func (s *Survey) Root() []byte { return s.root }

// Export is the path of the first MOUNT call, "" if there was none.
func (s *Survey) Export() string { return s.export }
