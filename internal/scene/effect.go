package scene

import (
	"slices"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An effect is what happens to one frame after it was made.
type effect struct {
	drop, twice bool
	late        int    // it changes places with the frame that many after it
	tag         []byte // the 802.1Q tag that it has, nil for none
	bytes       []func(frame []byte)
}

// afterwards are the options that any statement may have: about the frames that
// it made, and what is expected to be found there.
func afterwards() []string {
	return []string{"want", "drop", "dup", "flip", "edit", "ecn", "late", "tag", "icrc"}
}

func (p *player) afterwards(c *cursor) {
	word := c.takeToken().text
	if word == "want" {
		p.want(c, p.result)
		return
	}
	switch word {
	case "flip", "edit":
		frames := p.frames(c, true)
		at := c.integer("a byte")
		data := []byte{0xff}
		if word == "edit" {
			data = c.bytes("bytes")
		} else if c.isNumber() {
			data = []byte{uint8(c.parse(c.word("a mask"), "a mask", 8))}
		}
		p.each(frames, func(e *effect) { e.bytes = append(e.bytes, p.rewrite(c.number, word == "flip", at, data)) })
		return
	}
	if word == "icrc" {
		way, number := c.one(build.ICRCWays()...), c.number
		p.each(p.frames(c, false), func(e *effect) {
			e.bytes = append(e.bytes, func(frame []byte) {
				if !build.OtherICRC(frame, way) {
					p.failf(number, "no ICRC can be computed so")
				}
			})
		})
		return
	}
	if word == "tag" {
		const vlan, most = 1, 7
		pcp := c.count("a priority")
		if pcp > most {
			c.fail("a priority is at most %d", most)
			return
		}
		p.each(p.frames(c, false), func(e *effect) { e.tag = []byte{0x81, 0x00, uint8(pcp) << 5, vlan} })
		return
	}
	behind := 1
	if word == "late" && c.isNumber() {
		behind = c.count("a number of frames")
	}
	frames := p.frames(c, false)
	p.each(frames, func(e *effect) {
		switch word {
		case "drop":
			e.drop = true
		case "dup":
			e.twice = true
		case "late":
			e.late = behind
		case "ecn":
			e.bytes = append(e.bytes, congested)
		}
	})
}

// frames takes "frame N", N from 1, or from the end if it is negative, and
// returns the indices of the frames of the statement: that one; without it the
// first if one is meant, else all.
func (p *player) frames(c *cursor, one bool) (list []int) {
	if p.cur == nil {
		c.fail("there is no frame")
		return nil
	}
	first, end := p.first, len(p.cur.frames())
	switch {
	case c.accept("frame"):
		n := c.integer("a frame's number")
		if n < 0 {
			n += end - first + 1
		}
		if n < 1 || n > end-first {
			c.fail("the statement made %d frames", end-first)
			return nil
		}
		return []int{first + n - 1}
	case first == end:
		c.fail("the statement made no frame")
	case one && p.result != nil && p.result.span.First < p.result.span.End:
		return []int{p.result.span.First}
	case one:
		return []int{first}
	}
	for i := first; i < end; i++ {
		list = append(list, i)
	}
	return list
}

func (p *player) each(frames []int, do func(*effect)) {
	for _, i := range frames {
		if p.cur.effects[i] == nil {
			p.cur.effects[i] = &effect{}
		}
		do(p.cur.effects[i])
	}
}

// rewrite changes bytes of a frame: flip inverts the bits of bytes and leaves
// all checksums as they are, else bytes take the place of what was there and
// the checksums are made right.
func (p *player) rewrite(line int, flip bool, at int, data []byte) func([]byte) {
	return func(frame []byte) {
		if at < 0 {
			at += len(frame)
		}
		if at < 0 || at+len(data) > len(frame) {
			p.failf(line, "byte %d lies outside its frame, which has %d", at, len(frame))
			return
		}
		if flip {
			frame[at] ^= data[0]
			return
		}
		copy(frame[at:], data)
		build.Reseal(frame)
	}
}

// congested sets the two bits with which a switch says that there was congestion
// (RFC 3168, section 5).
func congested(frame []byte) {
	const version, class = 14, 15
	if frame[version]>>4 == 4 {
		frame[class] |= 3
	} else {
		frame[class] |= 0x30
	}
	build.Reseal(frame)
}

// apply makes the effects on the frames of a connection, and returns for each of
// them how often it is in the capture.
func (p *player) apply(k *conn) (frames build.Frames, copies []int) {
	frames = slices.Clone(k.frames())
	copies = make([]int, len(frames))
	for i := range frames {
		copies[i] = 1
		e := k.effects[i]
		if e == nil {
			continue
		}
		frames[i].Data = slices.Clone(frames[i].Data)
		for _, change := range e.bytes {
			change(frames[i].Data)
		}
		if e.tag != nil {
			const behind = 12 // bytes: both addresses
			frames[i].Data = slices.Insert(frames[i].Data, behind, e.tag...)
			frames[i].Length += len(e.tag)
		}
		switch {
		case e.drop:
			copies[i] = 0
		case e.twice:
			copies[i] = 2
		}
	}
	for i := range frames {
		if e := k.effects[i]; e != nil && e.late > 0 && i+e.late < len(frames) {
			j := i + e.late
			frames[i].Time, frames[j].Time = frames[j].Time, frames[i].Time
		}
	}
	return frames, copies
}
