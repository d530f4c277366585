package rpc

import (
	"encoding/hex"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/check"
)

// TestTokens has a token of each kind, the first and the last as captured (rxe-krb).
func TestTokens(t *testing.T) {
	for name, c := range map[string]struct{ hex, want string }{
		"MIC": {"040404ffffffffff0000000001e56b543f634039d783ee531cca126d", `
[4:32] Kerberos MIC token: from the initiator, SND_SEQ 31812436
  [4:6] TOK_ID: 0x0404
  [6:7] Flags: AcceptorSubkey (0x04)
  [12:20] SND_SEQ: 31812436
  [20:32] SGN_CKSUM: 12 bytes
`},
		"Wrap, sealed": {"050406ff0000001c0000000039dabf1c" + "0102030405", `
[4:25] Kerberos Wrap token: from the initiator, SND_SEQ 970637084
  [4:6] TOK_ID: 0x0504
  [6:7] Flags: Sealed|AcceptorSubkey (0x06)
  [8:10] EC: 0
  [10:12] RRC: 28
  [12:20] SND_SEQ: 970637084
  [20:25] Encrypted data: 5 bytes
`},
		"Wrap, of the acceptor": {"050401ff000c00000000000000000009" + "ff", `
[4:21] Kerberos Wrap token: from the acceptor, SND_SEQ 9
  [4:6] TOK_ID: 0x0504
  [6:7] Flags: SentByAcceptor (0x01)
  [8:10] EC: 12
  [10:12] RRC: 0
  [12:20] SND_SEQ: 9
  [20:21] Data and checksum: 1 byte
`},
	} {
		b, err := hex.DecodeString("00000000" + c.hex)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := TokenNode(b, 4, len(b))
		if !ok {
			t.Errorf("%s: no token", name)
			continue
		}
		if got := "\n" + check.Outline([]field.Node{n}); got != c.want {
			t.Errorf("%s:%s\nwant:%s", name, got, c.want)
		}
	}
	for _, text := range []string{
		"", "0404", "040404fffffffffe0000000001e56b54", "060404ffffffffff0000000001e56b54", "050404fe000000000000000000000000", "040404ffffffffff00000000000000",
	} {
		b, _ := hex.DecodeString(text)
		if n, ok := TokenNode(b, 0, len(b)); ok {
			t.Errorf("%s is a token: %v", text, n)
		}
	}
	if _, ok := TokenNode(make([]byte, 20), 2, 21); ok {
		t.Error("a token ends beyond the bytes")
	}
}
