package thresh

import (
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// atLeast is how long a message may be at least, for who judges what would have been shorter:
// its limit, or where the setup was not captured the default of its version. In version 1 no
// receiver takes less (RFC 8166, section 3.3.2); in version 2 one may have said that it does.
func atLeast(c *rules.Conn, version uint32, l setup.Limit, known bool) (setup.Limit, bool) {
	switch {
	case known:
		return l, true
	case version == rpcrdma.Version1:
		return setup.Limit{Bytes: rpcrdma.DefaultThreshold, Default: true, Why: "the default, which any receiver accepts"}, true
	case c.BeganLate() && !c.OneDirection():
		return setup.Limit{Bytes: rpcrdma.Version2Threshold, Default: true, Why: "the default of version 2", Doubt: finding.DoubtLate}, true
	}
	return l, false
}
