package rpcrdma

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

// TestVersion2Vectors are messages laid out by hand after the two drafts.
func TestVersion2Vectors(t *testing.T) {
	var h Header
	decode := func(digits string) *Option {
		t.Helper()
		if b := check.Hex(t, digits); !h.Decode(b) || h.Length != len(b) || h.Version != 2 || h.Credits != 32 {
			t.Fatalf("fault %q, Length %d of %d, version %d, %d credits", h.Fault, h.Length, len(b), h.Version, h.Credits)
		}
		return h.Option()
	}
	o := decode(`0a0b0c0d 00000002 00000020 00000005 00000000 00000001 00000030
		00000003 00000001 00000004 00002000 00000002 00000004 00000001 00000003 00000004 00000002 00000001 00000002`)
	want := []Characteristic{
		{XcharRBSIZ, 12, 4, 8192, true},
		{XcharRQREMINV, 24, 4, 1, true},
		{XcharBRS, 36, 4, uint32(ReverseSizeLimited), true},
	}
	if h.Direction != DirectionCall || o.Type != InitXchar || !slices.Equal(o.Characteristics, want) || o.elements(o.NoChange) != "{1}" || o.Fault.Bad() {
		t.Errorf("%v %v %+v, no change %v, fault %q", h.Direction, o.Type, o.Characteristics, o.elements(o.NoChange), o.Fault)
	}
	o = decode(`0a0b0c0e 00000002 00000020 00000005 00000001 00000003 00000018
		00000001 00000001 00000001 00000004 00000001 00000002`)
	if h.Direction != DirectionReply || o.Type != RespXchar || o.elements(o.Done) != "{0}" || o.elements(o.Rejected) != "{2}" || o.elements(o.Pending) != "{1}" {
		t.Errorf("%v %v done %s, rejected %s, pending %s", h.Direction, o.Type, o.elements(o.Done), o.elements(o.Rejected), o.elements(o.Pending))
	}
	decode("0a0b0c0f 00000002 00000020 00000004 00000003 00000001 00000002 00011170")
	if h.ErrorName() != "RDMA2_ERR_CANT_REPLY" || !h.Processed || h.SegmentIndex != 2 || h.LengthNeeded != 70000 || h.ErrorDirected || !h.Directed() || h.Direction != DirectionReply {
		t.Errorf("%s, processed %v, segment %d needs %d", h.ErrorName(), h.Processed, h.SegmentIndex, h.LengthNeeded)
	}
	decode("0a0b0c0f 00000002 00000020 00000004 00000001 00000004")
	if h.ErrorName() != "RDMA2_ERR_INVAL_PROC" || !h.ErrorDirected {
		t.Errorf("%s with a direction in front: %v", h.ErrorName(), h.ErrorDirected)
	}
}

func TestVersion2Faults(t *testing.T) {
	const (
		fixed  = "01020305 00000002 00000020 "
		option = fixed + "00000005 00000000 "
	)
	for _, tt := range []struct {
		name, hex      string
		header, option field.Fault
		length         int
	}{
		{"procedure 2", fixed + "00000002", field.Fault{Offset: 12, Reason: "rdma_proc is not defined"}, field.Fault{}, 16},
		{"procedure 6", fixed + "00000006 00000000", field.Fault{Offset: 12, Reason: "rdma_proc is not defined"}, field.Fault{}, 16},
		{"direction 2", fixed + "00000000 00000002 00000000", field.Fault{Offset: 16, Reason: "rdma_direction is neither CALL nor REPLY"}, field.Fault{}, 20},
		{"no lists", fixed + "00000001 00000001 00000007", field.Fault{Offset: 24, Reason: "Read list runs past the message"}, field.Fault{}, 24},
		{"error 6", fixed + "00000004 00000006", field.Fault{Offset: 16, Reason: "rdma_err is not defined"}, field.Fault{}, 20},
		{"processed 2", fixed + "00000004 00000003 00000002 00000000 00000000", field.Fault{Offset: 20, Reason: "rdma_processed is neither 0 nor 1"}, field.Fault{}, 20},
		{"optdir 7", fixed + "00000005 00000007 00000001 00000000", field.Fault{Offset: 16, Reason: "rdma_optdir is neither CALL nor REPLY"}, field.Fault{}, 20},
		{"optinfo longer than the message", option + "00000009 00000005 00000000", field.Fault{Offset: 24, Reason: "rdma_optinfo runs past the message"}, field.Fault{}, 24},
		{"padding missing", option + "00000009 00000003 000000", field.Fault{Offset: 31, Reason: "RDMA2_OPTIONAL header cut short"}, field.Fault{}, 24},
		{"xchv_data longer than optinfo", option + "00000002 0000000c 00000001 00000001 00000001 ", field.Fault{}, field.Fault{Offset: 36, Reason: "xchv_data runs past rdma_optinfo"}, 40},
		{"RBSIZ of two bytes", option + "00000002 00000010 00000001 00000001 00000002 20000000", field.Fault{}, field.Fault{Offset: 36, Reason: "xchv_data is too short for its type"}, 44},
		{"RQREMINV 2, then another wrong one", option + "00000002 0000001c 00000002 00000002 00000004 00000002 00000003 00000004 00000009", field.Fault{},
			field.Fault{Offset: 40, Reason: "XCHAR_RQREMINV is neither 0 nor 1"}, 56},
		{"BRS 4", option + "00000004 00000010 00000003 00000004 00000004 00000001", field.Fault{}, field.Fault{Offset: 36, Reason: "XCHAR_BRS is not defined"}, 44},
		{"pendclr 2", option + "00000004 00000010 00000003 00000004 00000001 00000002", field.Fault{}, field.Fault{Offset: 40, Reason: "optuxc_pendclr is neither 0 nor 1"}, 44},
		{"no pendclr", option + "00000004 0000000c 00000003 00000004 00000001", field.Fault{}, field.Fault{Offset: 40, Reason: "rdma_optinfo is too short for its operation"}, 40},
		{"half a pendclr", option + "00000004 0000000e 00000003 00000004 00000001 00010000", field.Fault{}, field.Fault{Offset: 42, Reason: "rdma_optinfo is too short for its operation"}, 44},
		{"more characteristics than bytes", option + "00000001 00000008 0fffffff 00000000", field.Fault{}, field.Fault{Offset: 28, Reason: "count runs past the message"}, 36},
		{"more words than bytes", option + "00000003 00000008 00000000 00000002", field.Fault{}, field.Fault{Offset: 32, Reason: "count runs past the message"}, 36},
		{"no pending subset", option + "00000003 00000008 00000000 00000000", field.Fault{}, field.Fault{Offset: 36, Reason: "rdma_optinfo is too short for its operation"}, 36},
		{"an unknown operation", option + "00000007 00000005 0102030405000000", field.Fault{}, field.Fault{}, 36},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var h Header
			b := check.Hex(t, tt.hex)
			h.Decode(b)
			if h.Fault != tt.header || h.Length != tt.length {
				t.Errorf("fault %q, Length = %d; want %q, %d", h.Fault, h.Length, tt.header, tt.length)
			}
			got := field.Fault{}
			if o := h.Option(); o != nil {
				got = o.Fault
			}
			if got != tt.option {
				t.Errorf("fault %q in the option, want %q", got, tt.option)
			}
			want := 0
			for _, f := range []field.Fault{tt.header, tt.option} {
				if f.Bad() {
					want++
				}
			}
			nodes := Nodes(b, 0)
			if n := faults(nodes); n != want {
				t.Errorf("%d faults in the tree, want %d:\n%s", n, want, check.Outline(nodes))
			}
		})
	}
}

// TestWhatIsKnownOfAnOptionIsShown decodes what a later draft may make: another
// characteristic between known ones, bytes after the operation, and a value
// that goes on after its type.
func TestWhatIsKnownOfAnOptionIsShown(t *testing.T) {
	b := check.Hex(t, `01020305 00000002 00000020 00000005 00000000 00000002 0000002c
		00000003 00000009 00000003 abcdef00 ffffff00 00000000 00000001 00000008 00002000 00001000 00000005`)
	var h Header
	if !h.Decode(b) {
		t.Fatal(h.Fault)
	}
	o := h.Option()
	if o.Fault.Bad() || o.Left != 4 || len(o.Characteristics) != 3 || !o.Characteristics[1].ID.Experimental() || o.Characteristics[2].Value != 8192 {
		t.Errorf("fault %q, %d left, %+v", o.Fault, o.Left, o.Characteristics)
	}
	// A snap length that ends within it: what is there is shown.
	h.Decode(b[:60])
	if o = h.Option(); !h.Cut || o.Fault.Bad() || len(o.Characteristics) != 2 || string(o.AppendValue(nil, o.Characteristics[0])) != "abcdef" {
		t.Errorf("Cut = %v, fault %q, %+v", h.Cut, o.Fault, o.Characteristics)
	}
}

func TestVersion2Names(t *testing.T) {
	v2 := func(h Header) Header { h.Version = 2; return h }
	for want, h := range map[string]Header{
		"RDMA2_MSG": v2(Header{Proc: RDMAMsg}), "RDMA2_NOMSG": v2(Header{Proc: RDMANoMsg}), "RDMA2_ERROR": v2(Header{Proc: RDMAError}),
		"RDMA2_OPTIONAL": v2(Header{Proc: RDMA2Optional}), "rdma_proc 7": v2(Header{Proc: 7}), "rdma_proc 5": {Version: 1, Proc: 5}, "RDMA_MSG": {Version: 1},
	} {
		if got := h.ProcName(); got != want {
			t.Errorf("ProcName() = %q, want %q", got, want)
		}
	}
	for want, h := range map[string]Header{
		"RDMA2_ERR_VERS": v2(Header{Error: 1}), "RDMA2_ERR_BAD_XDR": v2(Header{Error: 2}), "RDMA2_ERR_CANT_REPLY": v2(Header{Error: 3}),
		"RDMA2_ERR_INVAL_PROC": v2(Header{Error: 4}), "RDMA2_ERR_INVAL_OPTION": v2(Header{Error: 5}), "rdma_err 6": v2(Header{Error: 6}),
		"ERR_CHUNK": {Version: 1, Error: 2}, "rdma_err 3": {Version: 1, Error: 3},
	} {
		if got := h.ErrorName(); got != want {
			t.Errorf("ErrorName() = %q, want %q", got, want)
		}
	}
	for want, got := range map[string]interface{ String() string }{
		"INIT_XCHAR": InitXchar, "REQ_XCHAR": ReqXchar, "RESP_XCHAR": RespXchar, "UPD_XCHAR": UpdXchar, "rdma_opttype 5": OptionType(5),
		"XCHAR_RBSIZ": XcharRBSIZ, "XCHAR_RQREMINV": XcharRQREMINV, "XCHAR_BRS": XcharBRS, "xcharid 4": CharacteristicID(4), "xcharid 0xffffff10": CharacteristicID(0xffffff10),
		"BKRQSUP_UNKNOWN": ReverseUnknown, "BKRQSUP_NONE": ReverseNone, "BKRQSUP_SZLIM": ReverseSizeLimited, "BKRQSUP_GENL": ReverseGeneral, "bkrqsup 4": ReverseSupport(4),
		"CALL": DirectionCall, "REPLY": DirectionReply, "rdma_direction 2": Direction(2),
	} {
		if got.String() != want {
			t.Errorf("String() = %q, want %q", got.String(), want)
		}
	}
}
