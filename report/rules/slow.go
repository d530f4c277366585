package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// SlowRPC is how long an RPC may take, in nanoseconds, before that is a symptom by itself: longer where it may
// work on a whole file.
func (c *Conn) SlowRPC(r *dissect.RPC) int64 {
	const compound = 1
	config := &c.Capture.Config
	h := r.CallHeader()
	if h == nil || h.Program != rpc.ProgramNFS || h.Version != 4 || h.Procedure != compound {
		return limit(config.SlowRPC)
	}
	if b := r.Call.Body(); b != nil {
		switch main, _ := b.Main(); main {
		case "COPY", "CLONE", "ALLOCATE", "DEALLOCATE", "ZERO_RANGE":
			return limit(max(config.SlowRPC, config.LongRPC))
		}
	}
	return limit(config.SlowRPC)
}
