package rpcrdma

import (
	"math/rand/v2"

	"github.com/rdmacap/rdmacap/internal/build"
)

// random2 makes any version 2 header that the encoder can make.
func random2(rnd *rand.Rand) build.Header2 {
	h := build.Header2{XID: rnd.Uint32(), Credits: rnd.Uint32(), Proc: []uint32{build.MSG, build.NOMSG, build.ERROR, build.OPTIONAL}[rnd.IntN(4)]}
	h.Direction = uint32(rnd.IntN(2))
	switch h.Proc {
	case build.ERROR:
		h.Err = 1 + uint32(rnd.IntN(5))
		h.DirectedError = rnd.IntN(4) == 0
		switch h.Err {
		case build.ErrVers:
			h.Low, h.High = uint32(rnd.IntN(4)), rnd.Uint32()
		case build.Err2CantReply:
			h.Processed, h.SegmentIndex, h.LengthNeeded = uint32(rnd.IntN(2)), rnd.Uint32(), rnd.Uint32()
		}
	case build.OPTIONAL:
		h.Option, h.Info = randomOption(rnd)
	default:
		h.InvHandle = rnd.Uint32()
		segment := func() build.Segment {
			return build.Segment{Handle: rnd.Uint32(), Length: rnd.Uint32(), Offset: rnd.Uint64()}
		}
		chunk := func() []build.Segment {
			list := []build.Segment{}
			for range rnd.IntN(4) {
				list = append(list, segment())
			}
			return list
		}
		for range rnd.IntN(6) {
			h.Reads = append(h.Reads, build.ReadSegment{Position: 4 * uint32(rnd.IntN(3)), Segment: segment()})
		}
		for range rnd.IntN(4) {
			h.Writes = append(h.Writes, chunk())
		}
		if rnd.IntN(2) == 1 {
			h.Reply = chunk()
		}
	}
	return h
}

func randomOption(rnd *rand.Rand) (option uint32, info []byte) {
	data := func() []byte {
		b := make([]byte, rnd.IntN(11))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	characteristic := func() build.Xchar {
		switch id := uint32(rnd.IntN(5)); id {
		case build.XcharRBSIZ:
			x := build.XcharWord(id, rnd.Uint32())
			x.Data = append(x.Data, data()...) // more than the type has
			return x
		case build.XcharRQREMINV:
			return build.XcharWord(id, uint32(rnd.IntN(2)))
		case build.XcharBRS:
			return build.XcharWord(id, uint32(rnd.IntN(4)))
		default:
			return build.Xchar{ID: 0xffffff00 * id, Data: data()}
		}
	}
	spec := func() (list []build.Xchar) {
		for range rnd.IntN(6) {
			list = append(list, characteristic())
		}
		return list
	}
	subset := func() (s build.XcharSubset) {
		for n := range 70 {
			if rnd.IntN(20) == 0 {
				s = append(s, n)
			}
		}
		return s
	}
	switch option = uint32(rnd.IntN(6)); option {
	case build.InitXchar:
		return option, build.XcharInit(spec(), subset())
	case build.ReqXchar:
		return option, build.XcharReq(spec()...)
	case build.RespXchar:
		return option, build.XcharResp(subset(), subset(), subset())
	case build.UpdXchar:
		return option, build.XcharUpd(characteristic(), rnd.IntN(2) == 1)
	}
	return option, data()
}
