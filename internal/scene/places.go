package scene

import (
	"fmt"

	"github.com/rdmacap/rdmacap/internal/build"
)

// places are where the fields of a transport header lie, by the names that package
// scene's documentation lists. The next one begins at byte at.
type places struct {
	all map[string]extent
	at  int
}

// fields are those of a header of version 1, in a Send of length bytes.
func fields(h build.Header, length int) map[string]extent {
	p := fixed()
	switch h.Proc {
	case build.DONE:
		return p.all
	case build.ERROR:
		p.words("err", "low", "high")
		return p.all
	case build.MSGP:
		p.words("align", "thresh")
	}
	p.lists(h.Reads, h.Writes, h.Reply)
	return p.rest("rpc", length)
}

// fields2 are those of a header of version 2.
func fields2(h build.Header2, length int) map[string]extent {
	p := fixed()
	switch h.Proc {
	case build.ERROR:
		if h.DirectedError {
			p.words("direction")
		}
		switch p.words("err"); h.Err {
		case build.ErrVers:
			p.words("low", "high")
		case build.Err2CantReply:
			p.words("processed", "index", "needed")
		}
		return p.all
	case build.OPTIONAL:
		p.words("direction", "opttype", "optinfo.length")
		p.all["optinfo"] = extent{p.at, len(h.Info)}
		p.optinfo(h.Option, h.Info)
		p.at += (len(h.Info) + 3) &^ 3
	default:
		p.words("direction", "inv")
		p.lists(h.Reads, h.Writes, h.Reply)
	}
	return p.rest("rpc", length)
}

// fixed are the four words of every version.
func fixed() *places {
	p := &places{all: make(map[string]extent)}
	p.words("xid", "vers", "credits", "proc")
	return p
}

func (p *places) words(names ...string) {
	for _, name := range names {
		p.all[name] = extent{p.at, 4}
		p.at += 4
	}
}

// rest is what is behind the header.
func (p *places) rest(name string, length int) map[string]extent {
	p.all[name] = extent{p.at, max(0, length-p.at)}
	return p.all
}

func (p *places) segment(name string) {
	p.all[name] = extent{p.at, 16}
	p.words(name+".handle", name+".length")
	p.all[name+".offset"] = extent{p.at, 8}
	p.at += 8
}

// lists are the three of the chunks.
func (p *places) lists(reads []build.ReadSegment, writes [][]build.Segment, reply []build.Segment) {
	for i := range reads {
		name := fmt.Sprintf("read%d", i+1)
		p.words(name+".flag", name+".position")
		p.segment(name)
		p.all[name] = extent{p.at - 20, 20}
	}
	p.words("reads.end")
	for i, segments := range writes {
		p.array(fmt.Sprintf("write%d", i+1), segments)
	}
	p.words("writes.end")
	if reply != nil {
		p.array("replychunk", reply)
	} else {
		p.words("replychunk.flag")
	}
}

func (p *places) array(name string, segments []build.Segment) {
	begin := p.at
	p.words(name+".flag", name+".count")
	for i := range segments {
		p.segment(fmt.Sprintf("%s.%d", name, i+1))
	}
	p.all[name] = extent{begin + 4, p.at - begin - 4}
}
