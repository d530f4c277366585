package metrics

import "time"

// since is when the oldest calls were sent that wait for replies, by requester, in nanoseconds since 1970; 0 where none
// waits.
type since [2]int64

// oldest are those of connections that have any.
type oldest struct {
	list []waiting
	now  int64 // how late it is in the capture: see reached
}

// waiting is a connection in the list.
type waiting struct {
	since
	of *connection
}

// reached takes how late it is in the capture, in nanoseconds since 1970: the time of a frame, or what it must be by now
// while none comes. The age of a call is measured by that, so that of one in an old file is what it was then.
func (x *oldest) reached(time int64) { x.now = max(x.now, time) }

// takeOldest takes what has changed on connections.
func (x *oldest) takeOldest(o *counter) {
	if len(o.changed) == 0 {
		return
	}
	for _, s := range o.changed {
		s.changed = false
		switch {
		case s.oldest == since{}:
			x.remove(s)
			continue
		case s.place == 0:
			x.list = append(x.list, waiting{of: s})
			s.place = len(x.list)
		}
		x.list[s.place-1].since = s.oldest
	}
	clear(o.changed)
	o.changed = o.changed[:0]
}

// remove takes a connection from the list, if it is there. The last takes its place.
func (x *oldest) remove(s *connection) {
	if s.place == 0 {
		return
	}
	end := len(x.list) - 1
	last := x.list[end]
	last.of.place = s.place
	x.list[s.place-1], x.list[end] = last, waiting{}
	x.list, s.place = x.list[:end], 0
}

// ages are those of the oldest calls of all connections, by requester.
func (x *oldest) ages() (list [2]time.Duration) {
	for i := range x.list {
		for requester, sent := range x.list[i].since {
			if sent > 0 {
				list[requester] = max(list[requester], time.Duration(x.now-sent))
			}
		}
	}
	return list
}
