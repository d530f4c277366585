package scene

import (
	"encoding/hex"
	"testing"
)

// TestPlaces2 holds what lies at the fields of headers of version 2.
func TestPlaces2(t *testing.T) {
	const text = `
connect version=2
call 1 NFS3 WRITE data=bytes(4)
    read 0x11 4; write 0x12 8; replychunk 0x13 9; inv 0x12
    want 00000000 direction
    want 00000012 inv
    want 0000005c read1.position
    want 0000001300000009 replychunk.1+0+8
    want 00001001 rpc+0+4
error 1 CANT_REPLY TRUE 2 70000
    directed
    want 00000001 direction
    want 00000003 err
    want 00000001 processed
    want 00000002 index
    want 00011170 needed
call 2 NFS3 NULL
error 2 ERR_VERS 3 4
    want 0000000300000004 low+0+8
optional 3 client INIT_XCHAR [RBSIZ=8192 9=hex(0a 0b 0c) BRS=SZLIM] nochg=[1 32]
    payload "rest"
    want 00000001 opttype
    want 00000034 optinfo.length
    want 00000003 xchars.count
    want 000000010000000400002000 xchar1
    want 00000009000000030a0b0c xchar2
    want 00000003 xchar3.id
    want 00000004 xchar3.length
    want 00000002 xchar3.data
    want 000000020000000200000001 nochg
    want 00000001 nochg.2
    want 72657374 rpc
optional 4 client UPD_XCHAR BRS=1 pendclr=TRUE
    want 00000003 xchar1.id
    want 00000001 pendclr
optional 4 server RESP_XCHAR done=[2] pend=[1]
    want 00000001 direction
    want 00000004 done.1
    want 00000000 rej.count
    want 00000002 pend.1
optional 5 client 9 bytes(5)
    want 0102030405 optinfo
`
	for _, over := range []Transport{RoCE, IWARP} {
		scene, err := Play(text, over)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range scene.Wants {
			var got []byte
			for _, p := range w.Places {
				got = append(got, scene.Frames[p.Frame-1].Data[p.Offset:][:p.Length]...)
			}
			if hex.EncodeToString(got) != w.Rule {
				t.Errorf("%s: line %d: %x, not %s", over, w.Line, got, w.Rule)
			}
		}
	}
}
