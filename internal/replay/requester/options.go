package requester

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// Options say how a conversation is replayed. The zero Options replay it as fast as it was
// captured.
type Options struct {
	// InlineSend and InlineReceive are the sizes in bytes that the private data tell in
	// place of the captured ones; 0 keeps those.
	InlineSend, InlineReceive int
	// Speed is how many times as fast as captured calls follow one another; 0 is 1.
	// Immediately leaves out all gaps.
	Speed       float64
	Immediately bool
	// IgnoreCredits sends all calls at once, without waiting for replies, credits or pauses.
	IgnoreCredits bool
	// Oversize makes the Send of the last call longer, with zeroes: to so many bytes, or
	// with -1 to one word more than the server says that it receives. 0 leaves it.
	Oversize int
	// Edits change fields of transport headers.
	Edits []Edit
	// MaxCalls is how many calls are sent at most; 0 is DefaultMaxCalls. MaxRegistered is
	// how many bytes are registered for segments at once; 0 is wire.DefaultMaxRegistered.
	MaxCalls      int
	MaxRegistered int64
	// ReplyLimit is how long a reply is waited for, and TimeLimit how long all may take; 0
	// is DefaultReplyLimit and DefaultTimeLimit. RetryLimit is how long a server may ask to
	// wait and try again (NFS4ERR_GRACE, NFS4ERR_DELAY); 0 is DefaultRetryLimit.
	ReplyLimit, TimeLimit, RetryLimit time.Duration
	// FirstXID is the XID of the first call, which the others follow; 0 chooses one.
	FirstXID uint32
	// Binder rewrites calls for the live server; nil sends them as captured.
	Binder *bind.Binder
	// Owner names the client that a replay makes for a capture which begins late, with a Binder;
	// it should be another one for each replay.
	Owner string
	// RootPath is where the live server has the root of an NFS version 3 conversation, in the
	// tree that it shows by version 4; "" is the path that the capture's MOUNT names, else "/". Of
	// a conversation of version 4.1 or 4.2 that begins late it is where the mounted directory is,
	// and "" has nothing be taken for that.
	RootPath string
	// Exports say where captured handles are to which no name leads, of NFS versions 4.1 and 4.2.
	Exports []bind.Export
	// Specs are the texts that describe programs to the Binder, for Plan.Unbound.
	Specs []*types.Spec
	// NoChanges has no call be sent that changes files, or takes state away from the captured
	// client, or may. With a Binder only the live replies tell what of it is replaced.
	NoChanges bool
	// Compare compares the fields of replies; nil compares statuses, lengths and the data
	// of chunks only.
	Compare Comparer
	// Bindings decode replies; nil for those of NFS.
	Bindings *dissect.Bindings
}

// exports are RootPath and Exports.
func (o *Options) exports() []bind.Export {
	list := o.Exports
	if o.RootPath != "" {
		list = append(slices.Clone(list), bind.Export{Path: o.RootPath})
	}
	return list
}

// A Comparer compares replies field by field, as a bind.Binder does.
type Comparer interface {
	Compare(captured, live bind.Message) (list []bind.Difference, more int)
	// Longer is how many bytes the live reply is longer by what Compare leaves out.
	Longer(captured, live bind.Message) int
}

// An Edit changes a field of the header of those calls whose script.Call.Marks[Mark] is
// true.
type Edit struct {
	Mark int
	wire.Edit
}

// What Options are where they are 0.
const (
	DefaultMaxCalls   = 10_000
	DefaultReplyLimit = 30 * time.Second
	DefaultTimeLimit  = time.Hour
	DefaultRetryLimit = 2 * time.Minute
)

// withDefaults fills in what is 0.
func (o Options) withDefaults() Options {
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = DefaultMaxCalls
	}
	if o.MaxRegistered == 0 {
		o.MaxRegistered = wire.DefaultMaxRegistered
	}
	for _, d := range []struct {
		at *time.Duration
		is time.Duration
	}{{&o.ReplyLimit, DefaultReplyLimit}, {&o.TimeLimit, DefaultTimeLimit}, {&o.RetryLimit, DefaultRetryLimit}} {
		if *d.at == 0 {
			*d.at = d.is
		}
	}
	return o
}
