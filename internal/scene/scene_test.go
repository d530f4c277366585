package scene

import "testing"

const conversation = `
connect
call 1 NFS3 READ file="fh" offset=0 count=3000
    write 0xc82 4096
reply 1 data=bytes(3000) eof=true
call 2 NFS4 COMPOUND [SEQUENCE{slotid=0} PUTFH{object="fh"} WRITE{data=bytes(3000)}]
    read 0x1001 3000
reply 2 [SEQUENCE PUTFH WRITE{count=3000}]
    credits 0
    want CREDIT-003a credits
disconnect
`

func TestStory(t *testing.T) {
	for _, over := range []Transport{RoCE, IWARP} {
		scene, s := watch(t, conversation, over)
		for _, f := range s.faults {
			t.Errorf("%s: %s", over, f)
		}
		if s.complete != 2 {
			t.Errorf("%s: %d complete RPCs: %v", over, s.complete, s.rpcs)
		}
		w := scene.Wants[0]
		if len(w.Places) != 1 || w.Places[0].Length != 4 || w.Line != 10 {
			t.Fatalf("%s: %+v", over, w)
		}
		at := w.Places[0]
		if got := scene.Frames[at.Frame-1].Data[at.Offset-8:][:12]; string(got) != "\x00\x00\x10\x02\x00\x00\x00\x01\x00\x00\x00\x00" {
			t.Errorf("%s: the Send begins with % x", over, got)
		}
	}
}
