package scene

import (
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// pause is: pfc N|all QUANTA. The frame is of no connection, but stands among those of the current one.
func (p *player) pause(c *cursor) {
	const most, step = 7, 10 * time.Microsecond
	priority := build.WholeLink
	if !c.accept("all") {
		if priority = c.count("a priority"); priority > most {
			c.fail("a priority is at most %d", most)
		}
	}
	quanta := uint16(c.parse(c.word("quanta"), "quanta", 16))
	if p.err != nil {
		return
	}
	w := p.cur.wire()
	data := build.Pause(priority, quanta)
	f := build.Frame{Time: w.Now(), Data: data, Length: len(data)}
	if p.cur.roce != nil {
		p.cur.roce.Frames = append(p.cur.roce.Frames, f)
	} else {
		p.cur.iwarp.Frames = append(p.cur.iwarp.Frames, f)
	}
	w.Wait(step)
}
