package dissect

import "github.com/rdmacap/rdmacap/dissect/flow"

// collect appends what all shards say of the next batch to cuts; not ok if there is none.
func collect(cuts []cut, from []chan cut) (all []cut, ok bool) {
	for _, c := range from {
		x, ok := <-c
		if !ok {
			return nil, false
		}
		cuts = append(cuts, x)
	}
	return cuts, true
}

// emit reports what the shards say, in the order of the capture.
func (s *Shards) emit(cuts []cut) {
	// First the numbers of new connections, which the rest names.
	inOrder(len(cuts), func(i int) int { return len(cuts[i].made) },
		func(i, k int) flow.Position { return cuts[i].made[k].at },
		func(i, k int) {
			s.numbers++
			cuts[i].made[k].conn.ID = s.numbers
		})
	inOrder(len(cuts), func(i int) int { return cuts[i].queue.Len() },
		func(i, k int) flow.Position { return cuts[i].queue.At(k) },
		func(i, k int) { cuts[i].queue.Emit(k) })
	for i := range cuts {
		cuts[i].queue.Done()
	}
}

// decide decides what is too old of an epoch, the i-th that ended in a batch.
func (s *Shards) decide(cuts []cut, i int) (old int64) {
	var all openWeights
	for k := range cuts {
		all.addWeights(&cuts[k].weights[i])
	}
	old = all.tooOld(s.decided)
	s.decided++
	return old
}

// inOrder calls do for the elements of n lists by their positions, those of one list in
// its order.
func inOrder(n int, length func(list int) int, at func(list, i int) flow.Position, do func(list, i int)) {
	next := make([]int, n)
	for {
		first := -1
		var least flow.Position
		for list, i := range next {
			if i == length(list) {
				continue
			}
			if p := at(list, i); first < 0 || p.Compare(least) < 0 {
				first, least = list, p
			}
		}
		if first < 0 {
			return
		}
		do(first, next[first])
		next[first]++
	}
}
