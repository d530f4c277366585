package bind

import (
	"errors"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// ErrGSS says that a call is of an RPCSEC_GSS context, which only its own client and
// server can continue (RFC 2203, section 5).
var ErrGSS = errors.New("the call is of an RPCSEC_GSS context: its checksums belong to the captured client and server, and no other server accepts them; replay a capture with AUTH_SYS (sec=sys)")

var errNotYet = errors.New("not implemented yet")

// Options say how calls are rewritten.
type Options struct {
	// OwnerSuffix is appended to owners of clients. It should be another one for
	// each replay. With "" owners stay: the live server then takes the replay for
	// the captured client, and discards that one's state.
	OwnerSuffix string
}

// A Binder rewrites the calls of one conversation. Any number of goroutines may use it.
type Binder struct{}

// New returns a Binder for calls of the programs that specs describe: of two that
// describe one program the first counts. nfs.Spec is the usual one.
func New(o Options, specs ...*types.Spec) (*Binder, error) { return nil, errNotYet }

// TieHandle says which handle the live server has for a captured one: that of the root,
// which NFS version 3 gets by MOUNT.
func (b *Binder) TieHandle(captured, live []byte) {}

// Call rewrites a captured call with what is known by now. The error is ErrGSS, or says that
// the header is not one of a call. A call of a program that no text describes, or whose
// arguments are malformed, is rewritten as far as they can be read.
func (b *Binder) Call(captured Message) (*Call, error) { return nil, errNotYet }

// A Call is a captured call and what it became.
type Call struct {
	Rewritten
}

// Reply learns from the replies of a call that was sent. The captured one is nil if the
// capture lacks it. It is to be called once for each live reply; with Retry the next
// is that to the call's Again.
func (c *Call) Reply(captured *Message, live Message) Verdict { return Verdict{} }

// Again rewrites the captured call anew: slot and seqid go on where the reply before
// left them (RFC 8881, section 15.1.1.3: NFS4ERR_DELAY behind SEQUENCE has used up
// the slot's number). The XID is for the caller to change.
func (c *Call) Again() { }

// Compare compares a reply with the captured one, field by field. What the notes say differs
// between servers (@varies), and what is bound, is left out; entries of directories are
// compared by their names. The data that chunks carried are compared by their lengths. At most
// 64 differences are told, more counts the others.
func (b *Binder) Compare(captured, live Message) (list []Difference, more int) { return nil, 0 }

// Captured rewrites a live server's backward call into the capture's terms, so that it can be
// compared with captured ones.
func (b *Binder) Captured(live Message) (*Rewritten, error) { return nil, errNotYet }

// Answer rewrites the captured reply to a captured backward call into one for a live call:
// session, slot and sequence number are the live call's. The responder's side is the same:
// what the client chose is taken from the live call, what the server gave stays.
func (b *Binder) Answer(capturedCall, capturedReply, liveCall Message) (*Rewritten, error) {
	return nil, errNotYet
}

// Acknowledge makes a reply to a backward call of a live server that the capture does not
// have: NULL is answered, CB_COMPOUND with its CB_SEQUENCE and NFS4_OK or an error for
// the others (RFC 8881, section 20).
func (b *Binder) Acknowledge(live Message) ([]byte, error) { return nil, errNotYet }
