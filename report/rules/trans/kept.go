package trans

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection, each where it has
// something to.
type kept struct {
	holes     *holes         // TRANS-001
	prior     [2]*packetRing // TRANS-002: by the end that sent
	unready   *unready       // TRANS-003
	silences  *[2]silence    // TRANS-006: by the end that sent
	format    *format        // TRANS-007
	excesses  *[2]excess     // TRANS-008: by the end that asked
	sums      *[2]sums       // TRANS-009: by the end that sent
	congested *[2]congestion // TRANS-010: by the end that sent
	framing   *framing       // TRANS-011
	segments  *segments      // TRANS-013
}

func of(c *rules.Conn) *kept { return rules.Kept[kept](c, rules.KeepsTRANS) }

// ifAny is what is remembered of the connection, which is nothing if nobody did.
func ifAny(c *rules.Conn) kept {
	if k := rules.KeptIf[kept](c, rules.KeepsTRANS); k != nil {
		return *k
	}
	return kept{}
}

// some is where something is remembered, made when it is first needed.
func some[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}
