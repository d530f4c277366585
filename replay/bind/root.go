package bind

import "github.com/rdmacap/rdmacap/dissect/xdr/types"

// RootCall makes a call of NFS version 4.0 that asks for the handle of a path:
// COMPOUND of PUTROOTFH, LOOKUP for each name, GETFH (RFC 7530, section 16). A Linux
// server takes it in NFS version 3 as well. Credential and verifier are those of the
// captured call like.
func RootCall(like []byte, xid uint32, path string) ([]byte, error) { return nil, errNotYet }

// RootHandle reads the handle out of the reply to RootCall; the error says in words
// which name of the path the server does not have.
func RootHandle(reply []byte, path string) ([]byte, error) { return nil, errNotYet }

// A Survey looks through a captured conversation before it is replayed: what of its calls no
// reply of the capture has given. Calls and replies are to be given in the order of the
// capture. It is for one goroutine.
type Survey struct{}

// NewSurvey returns a Survey, as New does.
func NewSurvey(specs ...*types.Spec) (*Survey, error) { return nil, errNotYet }

// Call looks at a call and returns what nothing before it has given.
func (s *Survey) Call(captured Message) (*Rewritten, error) { return nil, errNotYet }

// Reply looks at what a reply gives.
func (s *Survey) Reply(captured Message) {}

// Root is the handle that calls of NFS version 2 or 3 use first and no reply has given: that of
// the root, usually. It is nil if there is none, as in NFS version 4.
func (s *Survey) Root() []byte { return nil }

// Export is the path of the first MOUNT call, "" if there was none.
func (s *Survey) Export() string { return "" }
