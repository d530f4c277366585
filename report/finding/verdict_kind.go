package finding

// kind is what a network did.
type kind uint8

const (
	delayed kind = iota
	reordered
	lostOrOvertaken
	lostBefore
	lostBehind
	lostUnsure
	changed
)

// kindOf is what one way did, the one thing that its frames prove. Where frames overtake
// others, or are lost before the capture, what else is asked for again proves no more losses.
func kindOf(w *Way) (k kind, ok bool) {
	switch {
	case w.Changed > 0 && w.Changed >= w.Lost():
		return changed, true
	case w.Reordered():
		return reordered, true
	case w.MayBeOvertaken():
		return lostOrOvertaken, true
	case w.Before > 0:
		return lostBefore, true
	case w.Behind > w.Unsure:
		return lostBehind, true
	case w.Behind > 0:
		return lostUnsure, true
	}
	return delayed, w.Slowest >= slowPath
}

// kind is what the network did to what went one way. Where frames of the other way overtake others,
// requests are retransmitted together with those that were missed: what then comes once more was
// not lost. So may copies of requests: what answers them comes again. And where frames of the other way were changed,
// so may the acknowledgement of what was retransmitted.
func (n *network) kind(to int) (k kind, ok bool) {
	w := &n.ways[to]
	k, ok = kindOf(w)
	other, _ := kindOf(&n.ways[to^1])
	switch {
	case k == lostBehind && n.ways[to^1].Copies > w.Behind,
		other == changed && k == lostUnsure,
		(other == reordered || other == lostOrOvertaken) && (k == lostBehind || k == lostUnsure && w.Tries == 0):
		return delayed, w.Slowest >= slowPath
	}
	return k, ok
}

func isLostBefore(w *Way) bool {
	k, ok := kindOf(w)
	return ok && k == lostBefore
}
