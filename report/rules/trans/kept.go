package trans

import "github.com/rdmacap/rdmacap/report/rules"

// kept is what the rules of the family remember of a connection, each where it has
// something to.
type kept struct {
	holes     *holes           // TRANS-001
	late      *late001         // TRANS-001
	unready   *unready         // TRANS-003
	silences  *[2]silence      // TRANS-006: by the end that sent
	format    *format          // TRANS-007
	excesses  *[2]excess       // TRANS-008: by the end that asked
	sums      *[2]sums         // TRANS-009: by the end that sent
	congested *[2]congestion   // TRANS-010: by the end that sent
	framing   *framing         // TRANS-011
	segments  *segments        // TRANS-013
	acks      *[2]acknowledged // TRANS-014: by the end that sent
	rounds    *[2]again002     // TRANS-002: by the end that sent
	services  *services        // TRANS-015
	repeats   *repeats         // TRANS-016
	sizes     *sizes           // TRANS-017
	doubles   *[2]doubles      // TRANS-020: by the end that sent
	overlong  *overlong        // TRANS-021
}

// state is where each connection keeps it.
const state = rules.ConnSlot[kept](rules.KeepsTRANS)

// await says whether any rule waits for what the next frames show: while framing is not
// settled, while a response waits for the request that names it, and while the classes of
// service are sampled.
func (k *kept) await(c *rules.Conn) {
	waits := c.IWARP() && (k.framing == nil || !k.framing.settled || k.framing.ready.waits) || k.services.samples()
	if s := k.segments; s != nil {
		waits = waits || s.held[0].waits || s.held[1].waits
	}
	c.AwaitFrames(rules.KeepsTRANS, waits)
}

// ifAny is what is remembered of the connection, which is nothing if nobody did.
func ifAny(c *rules.Conn) kept {
	if k := state.IfAny(c); k != nil {
		return *k
	}
	return kept{}
}
