package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func sym008() rules.Check {
	return rules.Check{
		On: []rules.Event{rules.OnBegin(begin008)},
		OnCapture: []rules.CaptureEvent{
			rules.OnCaptureFrame(rules.Unconnected, captured008), rules.OnCaptureEnd(end008),
		},
	}
}

func begin008(c *rules.Conn, _ rules.Reporter) { seenOf(c.Capture).rdma = true }

func captured008(k *rules.Capture, v *dissect.FrameView) {
	if v.Connection == nil {
		seenOf(k).see(v)
	}
}

func seenOf(k *rules.Capture) *seen { return seenSlot.Of(k) }

func end008(e *rules.ConnRef, report rules.Reporter) {
	var s seen
	seenSlot.Each(e.CrossConnection, s.addSeen)
	if s.rdma || s.frames == 0 {
		return
	}
	doubt, none := "", s.none()
	switch {
	case none != "":
	case s.rdmaPort > 0:
		doubt, report = "TCP to port 20049 may be iWARP that was truncated, or captured too late to be recognized", report.As(finding.Warning)
	case s.cut > 0:
		doubt = "truncated frames may be RDMA"
	case s.otherTCP > 0 && s.nfs == 0:
		doubt = "TCP on other ports may be iWARP that was captured too late to be recognized"
	}
	f := report.Moment("", s.first.Ref, s.first.Time, nil, doubt)
	if f == nil {
		return
	}
	if f.Messagef("none of %d frames is recognized as RDMA", s.frames); s.frames == 1 {
		f.Messagef("the only frame is not recognized as RDMA")
	}
	name, tunneled := s.tunneled()
	switch {
	case none != "":
		f.Message += none
		f.Advise("If that was meant to be NFS over RDMA, check whether the server listens on this port, whether it can be reached, and whether port and address are those that the client is configured with.")
	case s.rdmaPort > 0:
		f.Message += ": " + are(s.rdmaPort, "TCP segment") + " of port 20049 in which no iWARP was recognized"
		f.Advise("Start the capture before the mount, and capture both directions without a snap length.")
	case s.cut > 0:
		f.Message += ": " + are(s.cut, "packet") + " of RoCE that the capture truncated too much to be decoded"
		f.Advise("Capture with a larger snap length, at least 128 bytes; to decode the payload of Sends, capture whole frames (tcpdump -s 0).")
	case s.nfs > 0:
		f.Message += ": " + are(s.nfs, "segment") + " of NFS over TCP, port 2049"
		f.Advise("The mount does not use RDMA: mount with -o proto=rdma,port=20049, and check the client's log for why it fell back to TCP.")
	case tunneled:
		f.Message += ": most are " + name + ", which is not decoded"
		f.Advise("See --decap, or capture after the end of the tunnel.")
	}
	f.See("frames", s.frames, nil).See("NFS over TCP", s.nfs, nil).See("TCP of port 20049", s.rdmaPort, nil).See("RoCE that is cut", s.cut, nil)
	if others := s.protocols(); others != "" {
		f.See("others", others, nil)
	}
}

// are says that there are so many of something: "there is 1 packet", "there are 3 segments".
func are(n int64, noun string) string {
	if n == 1 {
		return "there is 1 " + noun
	}
	return "there are " + field.Counted(n, noun)
}
