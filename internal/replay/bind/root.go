package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// The version that has COMPOUND, and bounds of what a server sends.
const (
	version4   = 4
	mostHandle = 128
	mostNames  = 64
	mostDeep   = 256 // handles above one another
)

// Errors of RootHandle.
var (
	// ErrNoPath says that the path is not in the server's NFS version 4 tree. The root of
	// that tree may lie deeper than that of MOUNT: an export with fsid=0 is "/".
	ErrNoPath = errors.New("the path is not in the server's NFS version 4 tree")
	// ErrWait says that the server asks to call again later (NFS4ERR_DELAY).
	ErrWait = errors.New("the server asks to call again later (NFS4ERR_DELAY)")
)

// RootCall makes a call of NFS version 4.0 that asks for the handle of a path:
// COMPOUND of PUTROOTFH, LOOKUP for each name, GETFH (RFC 7530, section 16). A Linux
// server takes it in NFS version 3 as well. Credential and verifier are those of the
// captured call like, of whatever program.
//
//	| xid | CALL, 2, 100003, 4, 1 | credential | verifier |
//	| tag "" | minorversion 0 | n | PUTROOTFH | LOOKUP name | ... | GETFH |
func RootCall(like []byte, xid uint32, path string) ([]byte, error) {
	names := split(path)
	if len(names) > mostNames {
		return nil, fmt.Errorf("the path %q has more than %d names", path, mostNames)
	}
	c, err := newCompound(like, 0)
	if err != nil {
		return nil, err
	}
	c.op(numbers.OpPutrootfh, nil, nil)
	c.lookups(names)
	c.op(numbers.OpGetfh, nil, nil)
	return c.call(xid), nil
}

func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// RootHandle reads the handle out of the reply to RootCall with that path. The error is
// ErrWait, or says in words what the server did not do: ErrNoPath, and which name of the path
// it does not have.
func RootHandle(reply []byte, path string) ([]byte, error) {
	var header rpc.Reply
	header.Decode(reply)
	switch {
	case header.Fault.Bad():
		return nil, fmt.Errorf("the reply about %q is malformed: %v", path, header.Fault)
	case header.Denied || header.Accept != rpc.Success:
		return nil, fmt.Errorf("the server does not support NFS version 4.0, which is used to look up the handle of %q: %s", path, header.Status())
	}
	x := xdr.NewCursor(reply[header.Length:], "result cut short")
	total := x.Uint32()
	x.Opaque(1 << 20)
	names := split(path)
	for i := range x.Count(len(names)+2, 8) {
		op, status := x.Uint32(), x.Uint32()
		switch {
		case x.Bad():
		case status == numbers.StatusDelay:
			return nil, ErrWait
		case status == numbers.StatusNoent && op == numbers.OpLookup && i >= 1 && i <= len(names):
			return nil, fmt.Errorf("%w %q: there is no %q", ErrNoPath, path, "/"+strings.Join(names[:i], "/"))
		case status != 0:
			return nil, fmt.Errorf("the server did not return the handle of %q: operation %d failed with status %d of NFS version 4", path, i+1, status)
		case op == numbers.OpGetfh:
			if h := x.Opaque(mostHandle); len(h) > 0 {
				return h, nil
			}
		}
	}
	switch {
	case x.Bad():
		return nil, fmt.Errorf("the reply about %q is malformed: %v", path, x.Fault())
	case total == numbers.StatusMinorVersMismatch:
		return nil, fmt.Errorf("the server does not support NFS version 4.0, which is used to look up the handle of %q", path)
	}
	return nil, fmt.Errorf("the reply about %q has no handle; its status is %d of NFS version 4", path, total)
}
