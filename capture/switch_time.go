package capture

import "github.com/rdmacap/rdmacap/capture/link"

// maxClocks is how many clocks of switches are told apart. Frames of more keep their time.
const maxClocks = 1024

// SwitchTime gives the frames of a source, with the time at which a switch saw them where
// one wrote that into a header (link.Headers.Stamp); the others keep theirs. A time that
// counts from 1970 is taken as it is. Of any other the first frame of its clock keeps the
// time of the capture, and the rest are as long before or after it as the switch says.
// What a stamp leaves out, since it begins anew after some time, is that of the capture.
//
// The frames keep their order.
func SwitchTime(of Source, o link.Options) Source {
	return &switchTime{source: of, link: o, clocks: make(map[link.Clock]int64)}
}

type switchTime struct {
	source  Source
	link    link.Options
	packet  link.Packet
	headers link.Headers
	// clocks are by how much the time of the capture was ahead of each clock's.
	clocks map[link.Clock]int64
}

func (s *switchTime) Next(f *Frame) error {
	err := s.source.Next(f)
	if err != nil {
		return err
	}
	if s.packet.Decode(f.Link, f.Data, int(f.Length), s.link); !s.packet.Tunneled() {
		return nil
	}
	s.headers.Find(&s.packet, f.Link, f.Data, int(f.Length))
	if stamp, ok := s.headers.Stamp(); ok {
		f.Time = s.time(f.Time, stamp)
	}
	return nil
}

// time is that of a frame, which was captured at a time.
func (s *switchTime) time(captured int64, at link.Stamp) int64 {
	if !at.Since1970 {
		ahead, known := s.clocks[at.Clock]
		switch {
		case known:
		case captured == 0 || len(s.clocks) == maxClocks:
			return captured
		default:
			ahead = captured - at.Time
			s.clocks[at.Clock] = ahead
		}
		at.Time += ahead
	}
	if at.Period == 0 || captured == 0 {
		return at.Time
	}
	// Of the times that the stamp may mean, the nearest to when the frame was captured.
	behind := captured - at.Time + at.Period/2
	periods := behind / at.Period
	if behind%at.Period < 0 {
		periods--
	}
	return at.Time + periods*at.Period
}

// Keep implements Keeper.
func (s *switchTime) Keep(n int) bool {
	k, ok := s.source.(Keeper)
	return ok && k.Keep(n)
}

// Ready implements Ready.
func (s *switchTime) Ready() bool {
	r, ok := s.source.(Ready)
	return ok && r.Ready()
}
