package metrics

import "time"

// A lag says how far analysis is behind what was captured. Times are in nanoseconds since
// 1970: of frames when they were captured.
type lag struct {
	last    int64 // the newest frame that was analysed
	late    int64 // how long after it was captured one was, when that was looked at last
	looked  int64 // the frame of which that was
	newest  int64 // the newest group of frames that was read
	waiting int64 // the first that was read when no other waited
}

// lookEvery is for how many nanoseconds of frames the clock is not looked at again.
const lookEvery = int64(time.Millisecond)

// analysed notes a frame that was analysed.
func (l *lag) analysed(frame int64, now func() time.Time) {
	l.last = frame
	if frame-l.looked >= lookEvery || frame < l.looked {
		l.looked, l.late = frame, now().UnixNano()-frame
	}
}

// read receives the first of some frames that came together.
func (l *lag) read(frame int64) {
	if l.newest <= l.last {
		l.waiting = frame
	}
	l.newest = frame
}

// after is how far analysis is behind: as it was of the last frame, or as long as the first
// waits of those that were read and not analysed.
func (l *lag) behind(now time.Time) time.Duration {
	behind := l.late
	if l.newest > l.last {
		behind = max(behind, now.UnixNano()-max(l.waiting, l.last))
	}
	return time.Duration(max(behind, 0))
}
