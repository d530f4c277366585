package export_test

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/internal/build"
)

// xdr writes arguments and results that package build does not have.
type xdr []byte

func (x xdr) words(values ...uint32) xdr {
	for _, v := range values {
		x = binary.BigEndian.AppendUint32(x, v)
	}
	return x
}

func (x xdr) hyper(v uint64) xdr { return binary.BigEndian.AppendUint64(x, v) }

func (x xdr) opaque(s string) xdr {
	x = append(x.words(uint32(len(s))), s...)
	return append(x, make([]byte, -len(s)&3)...)
}

// nfs is a call of NFS.
func nfs(xid, version, procedure uint32, args xdr) build.Message {
	return build.Message{Bytes: build.RPCCall{XID: xid, Program: build.ProgramNFS, Version: version, Procedure: procedure, Args: args}.Bytes()}
}

// results is an accepted reply.
func results(xid uint32, x xdr) build.Message {
	return build.Message{Bytes: build.RPCReply{XID: xid, Results: x}.Bytes()}
}

// placed says that the item of n bytes that ends a message may go by a chunk.
func placed(m build.Message, n int) build.Message {
	m.Item, m.ItemLength = len(m.Bytes)-n-(-n&3), n
	return m
}

// lookup3 makes a LOOKUP of NFS 3 and its reply.
func lookup3(xid uint32, dir, name, handle string) (call, reply build.Message) {
	return nfs(xid, 3, 3, xdr{}.opaque(dir).opaque(name)), results(xid, xdr{}.words(0).opaque(handle).words(0, 0))
}

// An op is an operation of NFS 4 with its arguments and its result. A result of
// nil is that of an operation that the server did not come to.
type op struct {
	number       uint32
	args, result xdr
}

var (
	ok     = slices.Clip(xdr{}.words(0)) // so that appending copies it
	getFH  = func(fh string) op { return op{10, nil, ok.opaque(fh)} }
	lookup = func(name string) op { return op{15, xdr{}.opaque(name), ok} }
	putFH  = func(fh string) op { return op{22, xdr{}.opaque(fh), ok} }
	root   = op{24, nil, ok}
	back   = op{31, nil, ok} // RESTOREFH
	save   = op{32, nil, ok}
	stale  = xdr{}.words(70)
	state  = make(xdr, 16)
)

// open4 opens a file by its name, CLAIM_NULL, without creating it.
func open4(name string) op {
	args := append(xdr{}.words(0, 1, 0), xdr{}.hyper(1).opaque("owner").words(0, 0).opaque(name)...)
	result := append(append(xdr{}.words(0), state...), xdr{}.words(1).hyper(1).hyper(2).words(0, 0, 0)...)
	return op{18, args, result}
}

func read4(offset uint64, data string) op {
	args := append(xdr{}, state...).hyper(offset).words(uint32(len(data)))
	return op{25, args, ok.words(0).opaque(data)}
}

func write4(offset uint64, data string, count uint32) op {
	args := append(xdr{}, state...).hyper(offset).words(2).opaque(data)
	return op{38, args, ok.words(count, 2).hyper(0x1122334455667788)}
}

// compound makes a COMPOUND and its reply.
func compound(xid uint32, ops ...op) (call, reply build.Message) {
	var args, result xdr
	status, told := uint32(0), uint32(0)
	for _, o := range ops {
		args = append(args.words(o.number), o.args...)
		if o.result != nil {
			result = append(result.words(o.number), o.result...)
			status = binary.BigEndian.Uint32(o.result)
			told++
		}
	}
	call = nfs(xid, 4, 1, append(xdr{}.words(0, 2, uint32(len(ops))), args...))
	return call, results(xid, append(xdr{}.words(status, 0, told), result...))
}
