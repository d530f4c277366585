package bind_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

const (
	nfs4ErrDelay = numbers.StatusDelay
	nfs4ErrGrace = numbers.StatusGrace
	nfs3Jukebox  = 10008
)

// compound writes the result of a COMPOUND: the operations with their results.
func compound(like []byte, status uint32, results ...[]byte) []byte {
	var h rpc.Reply
	h.Decode(like)
	b := append([]byte(nil), like[:h.Length]...)
	b = words(b, status, 0, uint32(len(results)))
	for _, r := range results {
		b = append(b, r...)
	}
	return b
}

func words(b []byte, list ...uint32) []byte {
	for _, v := range list {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// TestDelay lets a server ask to wait: once with SEQUENCE itself, which uses up nothing, once
// after it, which uses up the slot's number, at every fifth call of NFS 4.1.
func TestDelay(t *testing.T) {
	steps := record(t, "rxe-basic").steps()[3]
	server := newServer(t)
	binder, err := bind.New(bind.Options{OwnerSuffix: suffix}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	calls, delayed := make(map[*exchange]*bind.Call), 0
	for i, s := range steps {
		if s.call.Reverse {
			continue
		}
		if !s.isReply {
			if calls[s.exchange], err = binder.Call(s.call); err != nil {
				t.Fatal(err)
			}
			if want := server.translate(t, s.call, false); !bytes.Equal(calls[s.exchange].Bytes, want) {
				t.Fatalf("XID %#08x:\n%x, want\n%x", s.xid, calls[s.exchange].Bytes, want)
			}
			continue
		}
		c, live := calls[s.exchange], s.reply
		if slot := slotOf(t, server, s.call); slot != "" && i%5 == 0 {
			// SEQUENCE's own result is that of the captured reply.
			sequence := sequenceOf(t, server, s.reply)
			for _, failed := range [][]byte{
				compound(s.reply.Bytes, nfs4ErrDelay, words(nil, numbers.OpSequence, nfs4ErrDelay)),
				compound(s.reply.Bytes, nfs4ErrGrace, sequence, words(nil, numbers.OpPutfh, nfs4ErrGrace)),
			} {
				live.Bytes = failed
				if v := c.Reply(&s.reply, live); !v.Retry {
					t.Fatalf("XID %#08x: verdict %+v", s.xid, v)
				}
				c.Again()
				delayed++
			}
			server.slots[slot]++
			if want := server.translate(t, s.call, false); !bytes.Equal(c.Bytes, want) {
				t.Fatalf("XID %#08x again:\n%x, want\n%x", s.xid, c.Bytes, want)
			}
		}
		live.Bytes = server.translate(t, s.reply, true)
		if v := c.Reply(&s.reply, live); v.Retry || len(v.Lacking) > 0 {
			t.Fatalf("XID %#08x: verdict %+v", s.xid, v)
		}
	}
	if delayed < 20 {
		t.Errorf("only %d replies asked to wait", delayed)
	}
}

// slotOf is the session and slot of a successful call, "" if it has none.
func slotOf(t *testing.T, o *otherServer, m bind.Message) (slot string) {
	w := writer{server: o}
	w.becomes = func(n *field.Node, v []byte) []byte {
		switch n.Key {
		case "nfs4.sequence4args.sa_sessionid":
			slot = string(v)
		case "nfs4.sequence4args.sa_slotid":
			slot += string(v)
		}
		return nil
	}
	w.write(t, m, false)
	return slot
}

// sequenceOf is the result of SEQUENCE as this server has it.
func sequenceOf(t *testing.T, o *otherServer, m bind.Message) []byte {
	var h rpc.Reply
	b := o.translate(t, m, true)
	h.Decode(b)
	at := h.Length + 4
	at += 4 + (int(binary.BigEndian.Uint32(b[at:]))+3)&^3 + 4
	return b[at : at+4+4+16+5*4]
}

// TestSeqids lets NFS 4.0's OPEN fail in ways that use up its seqid, and that do not (RFC 7530,
// section 9.1.7).
func TestSeqids(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status uint32
		retry  bool
		want   uint32 // how many more the next call of the owner has
	}{
		{"GRACE uses it up", nfs4ErrGrace, true, 1},
		{"DELAY uses it up", nfs4ErrDelay, true, 1},
		{"STALE_CLIENTID does not", 10022, false, 0xffffffff},
		{"BAD_SEQID does not", 10026, false, 0xffffffff},
		{"ACCESS does", 13, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			steps := record(t, "rxe-basic").steps()[2]
			server := newServer(t)
			binder, err := bind.New(bind.Options{OwnerSuffix: suffix}, spec(t))
			if err != nil {
				t.Fatal(err)
			}
			calls, failed := make(map[*exchange]*bind.Call), false
			for _, s := range steps {
				if !s.isReply {
					if calls[s.exchange], err = binder.Call(s.call); err != nil {
						t.Fatal(err)
					}
					number, owner := openSeqid(t, server, s.call.Bytes, s)
					if failed && owner {
						sent, _ := openSeqid(t, server, calls[s.exchange].Bytes, s)
						if sent-number != tt.want {
							t.Errorf("the next OPEN has seqid %d, captured was %d: want %d more", sent, number, int32(tt.want))
						}
						return
					}
					continue
				}
				c, live := calls[s.exchange], s.reply
				live.Bytes = server.translate(t, s.reply, true)
				if _, ok := openSeqid(t, server, s.call.Bytes, s); ok && !failed && succeeded(s.reply) {
					failed = true
					again := live.Bytes
					live.Bytes = compound(s.reply.Bytes, tt.status, words(nil, numbers.OpPutfh, 0), words(nil, numbers.OpOpen, tt.status))
					v := c.Reply(&s.reply, live)
					if v.Retry != tt.retry {
						t.Fatalf("verdict %+v, want retry %v", v, tt.retry)
					}
					if !v.Retry {
						continue
					}
					c.Again()
					live.Bytes = again
				}
				c.Reply(&s.reply, live)
			}
			t.Error("no second OPEN of an owner was sent")
		})
	}
}

// succeeded reports whether the status of a result is 0.
func succeeded(m bind.Message) bool {
	var h rpc.Reply
	h.Decode(m.Bytes)
	return zero(m.Bytes[h.Length : h.Length+4])
}

// openSeqid is the seqid of a call's OPEN, if it has one.
func openSeqid(t *testing.T, o *otherServer, data []byte, s step) (number uint32, ok bool) {
	w := writer{server: o}
	w.becomes = func(n *field.Node, v []byte) []byte {
		if n.Key == "nfs4.open4args.seqid" {
			number, ok = binary.BigEndian.Uint32(v), true
		}
		return nil
	}
	m := s.call
	m.Bytes, m.Reads = data, nil
	if len(s.call.Reads) > 0 {
		return 0, false
	}
	w.write(t, m, false)
	return number, ok
}

// TestJukebox is the same request to wait of NFS version 3.
func TestJukebox(t *testing.T) {
	steps := record(t, "rxe-basic").steps()[1]
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if s.isReply || s.call.Program != rpc.ProgramNFS || s.call.Procedure != 1 {
			continue
		}
		c, err := binder.Call(s.call)
		if err != nil {
			t.Fatal(err)
		}
		var h rpc.Reply
		h.Decode(s.reply.Bytes)
		live := s.reply
		live.Bytes = words(append([]byte(nil), s.reply.Bytes[:h.Length]...), nfs3Jukebox)
		if v := c.Reply(&s.reply, live); !v.Retry || v.Status != "NFS3ERR_JUKEBOX" || v.Captured != "NFS3_OK" {
			t.Errorf("verdict %+v", v)
		}
		if v := c.Reply(&live, live); v.Retry {
			t.Error("to wait was asked for where the captured server asked for it too")
		}
		return
	}
	t.Error("the sample has no GETATTR of NFS version 3")
}
