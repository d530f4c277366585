package finding

import (
	"fmt"
	"strings"
)

// again says how many those are.
func (n *network) again() string {
	frames := n.ways[toServer].Again + n.ways[toClient].Again
	return fmt.Sprintf("%s retransmitted after arriving, or before the receiver could miss %s%s. Nothing shows that the network lost any.",
		plural(frames, "frame", "frames"), verb(frames, "it", "them"), n.scope())
}

// whole is what is reported of a network: the root, what it cost, what to look at.
func (n *network) whole() (list []string) {
	list = append(list, n.root())
	if cost := n.cost(); cost != "" {
		list = append(list, cost)
	}
	return append(list, n.advice())
}

// between names the hosts.
func (n *network) between() string {
	if n.clients > 1 {
		return fmt.Sprintf("%d clients and the server %s", n.clients, n.server)
	}
	return fmt.Sprintf("the client %s and the server %s", n.client, n.server)
}

// way names a direction, with the hosts where they are two.
func (n *network) way(to int) string {
	from, at := "the client", "the server"
	if n.clients < 2 {
		from += " " + n.client.String()
	}
	at += " " + n.server.String()
	if to == toClient {
		from, at = at, from
	}
	return "from " + from + " to " + at
}

// root says what the network did.
func (n *network) root() string {
	a, b := &n.ways[0], &n.ways[1]
	if a.Slowest < slowPath && b.Slowest < slowPath && isLostBefore(a) && isLostBefore(b) {
		return fmt.Sprintf("The network between %s lost frames in both directions before they reached the capture point: at least %s to the server and %s to the client; %s captured.",
			n.between(), count(a.Before), count(b.Before), plural(n.frames, "frame was", "frames were"))
	}
	var parts []string
	for to := range n.ways {
		w := &n.ways[to]
		if w.Slowest >= slowPath {
			parts = append(parts, fmt.Sprintf("frames %s arrived, but their acknowledgements took up to %s: the path there and back is slow, or that host is",
				n.way(to), duration(w.Slowest)))
		}
		if text := n.did(to); text != "" {
			parts = append(parts, text)
		}
		if k, _ := kindOf(w); k != changed && w.Changed > 0 {
			parts = append(parts, fmt.Sprintf("%s %s with a wrong check value", plural(w.Changed, "frame", "frames"), n.way(to)+verb(w.Changed, " has come", " have come")))
		}
	}
	return capital(strings.Join(parts, "; ")) + n.scope() + "."
}

// scope says how many connections a text is about, if it is more than one.
func (n *network) scope() string {
	switch {
	case n.connections < 2:
		return ""
	case n.clients > 1:
		return fmt.Sprintf(" (%s of %d clients)", plural(n.connections, "connection", "connections"), n.clients)
	}
	return fmt.Sprintf(" (%s)", plural(n.connections, "connection", "connections"))
}

// did says what became of frames in one direction, "" if nothing bad.
func (n *network) did(to int) string {
	receiver := [2]string{"the server", "the client"}[to]
	w := &n.ways[to]
	k, ok := n.kind(to)
	switch {
	case !ok || k == delayed:
		return ""
	case k == changed:
		text := fmt.Sprintf("%s %s corrupted in transit: %s %s a wrong check value, and the receiver drops such a frame", plural(w.Changed, "frame", "frames"), n.way(to)+verb(w.Changed, " was", " were"),
			verb(w.Changed, "it", "they"), verb(w.Changed, "has", "have"))
		if w.Lost() > 0 {
			text += fmt.Sprintf(" (%s more had to be retransmitted)", count(w.Lost()))
		}
		return text
	case k == reordered:
		return fmt.Sprintf("frames %s were reordered: %s arrived after later ones, and %s mistook that for loss. Nothing shows that any of them was lost",
			n.way(to), count(w.Overtaken), receiver)
	case k == lostOrOvertaken:
		return fmt.Sprintf("%s %s overtaken by later ones, and %s mistook that for loss; %s more arrived late too, either retransmitted after a loss or overtaken",
			plural(w.Overtaken, "frame", "frames"), n.way(to)+verb(w.Overtaken, " was", " were"), receiver, count(w.Before))
	case k == lostBefore:
		return fmt.Sprintf("the network lost at least %s %s before %s reached the capture point", plural(w.Before, "frame", "frames"), n.way(to), verb(w.Before, "it", "they"))
	case k == lostBehind:
		return fmt.Sprintf("the network lost frames %s beyond the capture point, which saw them: %s", n.way(to), n.asked(w, receiver))
	case w.Tries == 0:
		return fmt.Sprintf("%s %s retransmitted: %s lost beyond the capture point, which saw %s, or the acknowledgement was lost before reaching it",
			plural(w.Behind, "frame", "frames"), n.way(to)+verb(w.Behind, " was", " were"), verb(w.Behind, "it was", "they were"), verb(w.Behind, "it", "them"))
	}
	if text := n.large(w); text != "" {
		return fmt.Sprintf("frames %s were retransmitted %s and nothing answered them: they were lost beyond the capture point, which saw them, or their acknowledgements were lost before reaching it%s",
			n.way(to), plural(w.Behind, "time", "times"), text)
	}
	if w.Unanswered {
		return fmt.Sprintf("a frame %s was sent %d times in %s, and nothing answered it: it was lost beyond the capture point, which saw it, or its answer was lost before reaching it, or that host was gone",
			n.way(to), w.Tries, duration(w.Outage))
	}
	return fmt.Sprintf("a frame %s was sent %d times in %s before anything answered it: it was lost beyond the capture point, which saw it, or its acknowledgement was lost before reaching it",
		n.way(to), w.Tries, duration(w.Outage))
}

// asked says what a receiver asked for again, and of which size that was.
func (n *network) asked(w *Way, receiver string) string {
	text := fmt.Sprintf("%s requested retransmission %s", receiver, plural(w.Behind-w.Unsure, "time", "times"))
	if w.Unsure > 0 {
		text += fmt.Sprintf(", and %s more they were retransmitted without a request", plural(w.Unsure, "time", "times"))
	}
	return text + n.large(w)
}

// large says of which size all is that was lost, if only large frames were: "" else.
func (n *network) large(w *Way) string {
	if !n.onlyLarge(w) {
		return ""
	}
	size := count(int64(w.Smallest)) + " bytes"
	switch {
	case n.mtu > 0 && w.Smallest >= n.mtu:
		size += ", the path MTU in use"
	case w.Largest > w.Smallest:
		size += " or more"
	case n.iwarp:
		size += ", the full size of a segment"
	}
	return fmt.Sprintf(". All of them carry %s; smaller frames got through meanwhile, and none as large did", size)
}

// onlyLarge reports whether all that was lost after the capture is large, often enough to be no accident, while
// smaller ones had their way and none as large had: as large as frames get, or on several connections.
func (n *network) onlyLarge(w *Way) bool {
	const (
		large   = 512
		several = 3
	)
	return w.Behind >= several && w.Smallest >= large && (w.Smallest >= n.mtu || n.connections >= several && w.SmallPassed >= several-1) &&
		w.SmallPassed > 0 && w.LargePassed == 0
}

// cost says what it cost.
func (n *network) cost() string {
	var parts []string
	if n.repeats > 0 {
		parts = append(parts, plural(n.repeats, "retransmission", "retransmissions"))
	}
	if t := n.timeOuts(); t > 0 {
		parts = append(parts, fmt.Sprintf("%s %s", plural(t, "timeout of", "timeouts of up to"), duration(max(n.ways[0].Longest, n.ways[1].Longest))))
	}
	if n.broken > 0 {
		parts = append(parts, plural(n.broken, "connection", "connections"))
	}
	text := ""
	if len(parts) > 0 {
		text = "It cost " + and(parts)
	}
	var calls []string
	if x := n.slowest; x.took > 0 {
		s := fmt.Sprintf("%s %#08x took %s", x.call, x.xid, duration(x.took))
		if n.slow > 1 {
			s += fmt.Sprintf(", the slowest of %s slow calls", count(n.slow))
		}
		calls = append(calls, s)
	}
	if n.unanswered > 0 {
		calls = append(calls, plural(n.unanswered, "call was never answered", "calls were never answered"))
	}
	for _, s := range calls {
		if text != "" {
			text += "; "
		}
		text += s
	}
	if text == "" {
		return ""
	}
	return capital(text) + "."
}

// advice says what to look at.
func (n *network) advice() string {
	lost, reorder, large, slow, corrupt, down := false, false, false, false, false, false
	for i := range n.ways {
		w := &n.ways[i]
		k, ok := n.kind(i)
		lost = lost || ok && k >= lostBefore && k < changed
		corrupt = corrupt || ok && k == changed
		reorder = reorder || ok && (k == reordered || k == lostOrOvertaken)
		large = large || ok && (k == lostBehind || k == lostUnsure) && n.onlyLarge(w)
		slow = slow || w.Slowest >= slowPath
		down = down || ok && k == lostUnsure && w.Outage >= longOutage
	}
	switch {
	case corrupt:
		return "Check the error counters of the ports, cables and transceivers on the path, and look for a device that rewrites frames."
	case large:
		return "Look for a smaller MTU on the path than at its ends: a switch port, a tunnel, a firewall."
	case reorder:
		return "Look for packets of one connection taking several paths: per-packet load balancing, link aggregation, adaptive routing."
	case slow:
		text := "Look for what delays frames between the capture point and that host: queues, shaping, a long path, a busy host"
		if lost {
			text += "; then check what the ports on the path drop"
		}
		return text + "."
	case down:
		return "Look for a link, port or host that was down then, and check the drop counters of the ports on the path" + n.lossless() + "."
	}
	return "Check the drop counters of the ports of both hosts and of the switches between them" + n.lossless() + "."
}

// lossless names what is to keep RoCE from losing anything.
func (n *network) lossless() string {
	if n.iwarp {
		return ""
	}
	return ", and PFC and ECN"
}
