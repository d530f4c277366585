package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// A need is what a rule has to know besides the frames of its finding.
type need struct {
	rules string // IDs, with their letters where only these are meant
	why   string
}

// oneEnd are what rules need that go by what one end sent and the other did, or did not,
// whichever end is missing.
func oneEnd() []need {
	return []need{
		{"CREDIT-001 CREDIT-002 CREDIT-004 CREDIT-005 CREDIT-006 CREDIT-007 CREDIT-008 CREDIT-009 CREDIT-010 CREDIT-011 CREDIT-012", "one end counts its open calls, the other grants credits"},
		{"RPC-001 RPC-002 RPC-003 RPC-004 RPC-007 RPC-009 RPC-010", "whether a call was answered, and how often, both ends show together"},
		{"SYM-001 SYM-002 SYM-006 SYM-007 SYM-009 SYM-010 SYM-011", "whether calls are open, and how long, both ends show together"},
		{"INV-001 INV-005", "one end promises what it lets invalidate, the other invalidates"},
		{"INV-002 INV-003 INV-006 INV-007", "one end advertises a handle, the other invalidates it; it may have been advertised anew since"},
		{"SEC-001b SEC-003 SEC-004b SEC-004c SEC-004d", "calls share memory while they are open, which their replies end"},
		{"THRESH-002 THRESH-004 THRESH-005 THRESH-012", "the threshold is the receiver's word, the message the sender's"},
		{"THRESH-010 CM-004b ULB-011", "the other end refuses it"},
		{"CM-006 CM-007", "a setup is what both ends say of it"},
		{"HDR-002b HDR-002c HDR-002d", "a version holds once the other end took it; it may have refused it with ERR_VERS since"},
		{"HDR-006c HDR-010 HDR-013c HDR-013d HDR-013e HDR-013f HDR-015", "an answer is held against its call"},
		{"HDR-012 V2-006d V2-006e", "an error is wrong where the other end called nothing"},
		{"V2-002 V2-003 V2-005 V2-007 V2-008 V2-009 V2-010", "an answer is held against its call"},
		{"XCHAR-002b XCHAR-004 XCHAR-007 XCHAR-009", "a response is held against its request"},
		{"XCHAR-006d XCHAR-011", "one end announces it, the other end uses it"},
		{"TRANS-001 TRANS-002c TRANS-014 TRANS-016 TRANS-017", "what came to the receiver, it acknowledges"},
		{"TRANS-003b TRANS-005 TRANS-006", "the receiver refuses it, or is silent"},
		{"TRANS-008", "an RDMA Read is open until its response"},
		{"TRANS-021", "how many bytes an RDMA Read asks for its request says, which goes the other way"},
		{"RPC-011", "results are held against the operations of their call"},
		{"RPC-013", "whether calls were answered both ends show together"},
		{"SEC-001a", "the other end's answers end an RPC, and invalidate a handle, which may then be registered anew under the same value"},
	}
}

// noServer are what rules need besides where the server's frames are missing.
func noServer() []need {
	return []need{
		{"DDP-008", "whether the server takes RFC 5666 at its word its private data tell"},
		{"THRESH-007", "how long a call may be inline the server says"},
		{"THRESH-008b THRESH-011", "that more than the default goes inline holds only if the server says so too"},
		{"ULB-018a", "whether the call before on the slot used up its sequence number its reply says"},
		{"TRANS-019e", "whether an RTR was agreed on the Reply says"},
		{"HDR-004 V2-001a", "a long call is what the responses to RDMA Reads bring, which the server asks for"},
		{"TRANS-011c", "whether there are markers who receives them says"},
	}
}

// noClient are what rules need besides where the client's frames are missing.
func noClient() []need {
	return []need{
		{"DDP-002 DDP-003 DDP-009 DDP-011 ULB RPC-008 SYM-003 SYM-005", "results are read by their call"},
		{"DDP-014 DDP-015 DDP-016 DDP-017 DDP-018", "the client names the memory that RDMA operations are for"},
		{"THRESH-008", "how long a reply may be inline the client says"},
		{"HDR-008", "which RDMA Writes are for the Reply chunk the call says that offers it"},
		{"XCHAR-008", "which characteristics a RESP_XCHAR speaks of its request says"},
		{"DDP-022", "results are read by their call"},
		{"HDR-009", "a reply in a Read chunk is what the responses to RDMA Reads bring, which the client asks for"},
		{"TRANS-011c", "whether there are markers who receives them says"},
	}
}

// setUps are what rules need that is told in the setup and nowhere else.
func setUps() []need {
	return []need{
		{"THRESH-002 THRESH-004 THRESH-005 THRESH-009 THRESH-010 THRESH-012 ULB-011", "private data may allow more than any default"},
		{"DDP-008", "whether the server takes RFC 5666 at its word its private data tell"},
		{"CM", "it is about the setup"},
		{"INV-001 INV-005 INV-006", "what an end lets invalidate it promises in the setup"},
		{"TRANS-002c TRANS-003b TRANS-006 TRANS-008", "how long a peer waits, how often it tries, and how many RDMA Reads it takes, the setup tells"},
		{"TRANS-011", "whether there are markers and CRCs the setup tells"},
		{"CREDIT-007", "a client makes a connection one for callbacks when it mounts, right behind the setup"},
		{"CREDIT-002 CREDIT-012", "which call is the first, only a connection from its setup on shows"},
		{"XCHAR-006a XCHAR-006d V2-010b", "which message is the first, only a connection from its setup on shows"},
	}
}

// absences are what rules find missing, which a frame that is lost of the same end explains as
// well; near the reply one is lost between call and reply.
func absences() []need {
	return []need{
		{"RPC-001 RPC-003 RPC-010 SYM-001 SYM-009 CREDIT-010 HDR-015 V2-005 V2-007a XCHAR-002b XCHAR-004b", "the frame that is lost may be the answer"},
		{"DDP-012 DDP-013 DDP-018", "the frame that is lost may be the RDMA Write, or the request of the RDMA Read"},
	}
}

// openCalls are what rules find by calls that are open, which a reply that is lost explains as well.
func openCalls() []need {
	return []need{
		{"CREDIT-001 CREDIT-002 CREDIT-012 RPC-003 SYM-001 SYM-006", "the reply that is lost may have ended one of the calls"},
	}
}

// of reports whether one of the needs is that of a finding, and why.
func of(list []need, id string) (why string) {
	for _, n := range list {
		if slices.ContainsFunc(strings.Fields(n.rules), func(r string) bool {
			return id == r || strings.HasPrefix(id, r+"-") || len(id) == len(r)+1 && strings.HasPrefix(id, r) && strings.Contains(r, "-")
		}) {
			return n.why
		}
	}
	return ""
}

// ofSample is what single samples need of the other end, whose rule as a whole does not.
func ofSample(s *scenario) (why string) {
	for _, n := range []struct{ id, sample, why string }{
		{"TRANS-007b", "an RDMA Read response of fewer bytes", "how many bytes an RDMA Read asks for its request says, which goes the other way"},
		{"TRANS-013a", "a response to an RDMA Read that nobody asked for", "whether anybody asked only the other end's requests show"},
		{"TRANS-010b", "a mark and no CNP", "the CNP that is missing would go the other way"},
		{"HDR-004", "a long reply", "a long reply is what RDMA Writes bring into the Reply chunk, which the call offers"},
		{"RPC-006b", "a Long Reply with an accept_stat of 9", "a long reply is what RDMA Writes bring into the Reply chunk, which the call offers"},
	} {
		if n.id == s.id && n.sample == s.name {
			return n.why
		}
	}
	return ""
}

// gone says which frames of the finding the treatment takes from the capture, "" for none.
func gone(s *scenario, t *treatment) string {
	f := s.found.findingOf(s.id)
	for _, r := range f.Frames {
		n := int(r.Number) - 1
		switch frame := s.found.scene.Frames[n]; {
		case t.only == "client" && frame.Dir != build.ToServer, t.only == "server" && frame.Dir != build.ToClient:
			return "frames of the finding are those of the other end"
		case t.late && s.inSetup(n):
			return "frames of the finding are those of the setup"
		}
	}
	return ""
}

// unprovable says what the rule has to know that is not in the capture any more, though all
// frames of the finding are: "" if nothing of that is gone. Try is which frames are lost.
func unprovable(s *scenario, t *treatment, try int) string {
	f, lostReply := s.found.findingOf(s.id), try == 1
	switch {
	case t.only == "client":
		return cmp.Or(of(append(oneEnd(), noServer()...), s.id), ofSample(s))
	case t.only == "server":
		return cmp.Or(of(append(oneEnd(), noClient()...), s.id), ofSample(s))
	case t.late:
		return of(setUps(), s.id)
	case t.between && lostReply && of(openCalls(), s.id) != "":
		return of(openCalls(), s.id)
	case t.between && f.Connection != nil && f.HasFrom && lostReply == (f.From != f.Connection.ClientEnd):
		return of(absences(), s.id)
	}
	return ""
}

// inSetup reports whether a frame is one of a setup of the scene: it is not there in the
// scene without them.
func (s *scenario) inSetup(n int) bool {
	p, err := scene.Play(s.render(&treatment{late: true}, nil), s.over)
	if err != nil {
		return true
	}
	return !slices.ContainsFunc(p.Frames, func(f build.Frame) bool { return bytes.Equal(f.Data, s.found.scene.Frames[n].Data) })
}
