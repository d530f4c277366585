package keep

import "time"

// run writes what comes, until the Recorder is closed.
func (r *Recorder) run() {
	defer close(r.done)
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		flush := false
		select {
		case <-r.wake:
		case <-tick.C:
			flush = true
		}
		if r.turn(flush) {
			r.endRecording()
			return
		}
	}
}

// turn does what there is to do, with flush also what is in the unfinished chunk. It
// reports whether the Recorder is closed.
func (r *Recorder) turn(flush bool) (closing bool) {
	now := time.Now()
	r.guard.Lock()
	if r.writer != nil && r.writer.due(now) {
		r.cut()
	}
	full, asked, unheard := r.full, r.asked, r.unserved
	reopen, closing := r.reopen, r.closing
	r.full, r.taken = r.taken[:0], full
	r.asked, r.unserved, r.reopen, r.busy = nil, 0, false, true
	r.guard.Unlock()

	defer func() {
		r.guard.Lock()
		r.busy = false
		r.guard.Unlock()
	}()
	for _, c := range full {
		r.handle(c)
	}
	if r.writer != nil {
		r.writer.suppressed += unheard
		for i := range asked {
			r.writer.occur(&asked[i])
		}
		r.writer.turn(now)
	}
	if r.ring == nil {
		return closing
	}
	if flush || reopen {
		r.flush()
	}
	if reopen || r.ring.old(now) {
		r.ring.finish()
	}
	return closing
}

// handle writes what is left of a chunk that is full, and keeps it.
func (r *Recorder) handle(c *chunk) {
	if r.ring != nil {
		r.ring.write(piece{c.b[c.written:], c.frames - c.writtenFrames, c.ports, c.oldest})
	}
	if r.writer != nil {
		r.writer.addChunk(c)
		r.window.push(c)
	}
	r.guard.Lock()
	defer r.guard.Unlock()
	r.pool.back(c)
	r.freed.Signal()
}

// flush writes what is in the unfinished chunk. More is appended to that meanwhile,
// after what is written.
func (r *Recorder) flush() {
	r.guard.Lock()
	c := r.current
	var (
		p      piece
		end    int
		frames int64
	)
	// Chunks may have been cut since: they come first.
	if c != nil && len(r.full) == 0 {
		end, frames = len(c.b), c.frames
		p = piece{c.b[c.written:end], frames - c.writtenFrames, c.ports, c.oldest}
	}
	r.guard.Unlock()
	if p.frames > 0 {
		r.ring.write(p)
		c.written, c.writtenFrames = end, frames
	}
}

// endRecording ends what is open, and says what came of it.
func (r *Recorder) endRecording() {
	if r.ring != nil {
		r.ring.finish()
		r.ring.report()
	}
	if r.writer != nil {
		r.writer.endWriting()
	}
}
