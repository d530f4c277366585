package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp001() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-001", Title: "Ineligible argument reduced",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call moved something into a Read chunk that the upper-layer binding of its program does not make " +
			"eligible: another item than the data of a WRITE or the path of a symbolic link, or anything at all in a " +
			"procedure or operation that has no such item.",
		Why: "A responder looks for chunks only where the binding allows them. It must report the violation, and the " +
			"call fails; one that does not notice decodes arguments that are not there.",
		Advice: "Look at how the requester decides what goes into a Read chunk. One that goes by size or by the buffer " +
			"in which the octets lie, instead of by the item, reduces file handles, names and attributes too.",
		Reference: "RFC 8166, section 3.4.2; RFC 8267, sections 4 and 6.1",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "DDP-004 judges what is protected. Silent for programs that have no eligible item at all (ULB-009 judges them), for programs that " +
			"nothing describes, and where an operation before the Position cannot be decoded. A Position-Zero Read chunk conveys " +
			"the whole call and is free.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc001)},
		Fires: []rules.Sample{
			{Name: "a LOOKUP has a Read chunk for the name", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} LOOKUP{objname=text(2000)}]
				    read 0x1001 2000 at objname
				    want DDP-001 read1.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "the name of a RENAME in a COMPOUND is reduced", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} REMOVE{target=text(200)} WRITE{data=bytes(3000)}]
				    read 0x1001 200 at target
				    want DDP-001 read1.position
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a Read chunk within a GETATTR of a COMPOUND", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} GETATTR{attr_request=[SIZE]}]
				    read 0x1001 4 at 136+4
				    want DDP-001 read1.position
				error 1 ERR_CHUNK
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the data of a WRITE", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    read 0x1001 3000
				reply 1 count=3000
				disconnect`},
			{Name: "the link text of a CREATE", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} CREATE{linkdata=text(900) objname="l"}]
				    read 0x1001 900
				reply 1
				disconnect`},
			{Name: "a long call of a procedure without eligible items", Scene: `
				connect
				call 1 NFS3 LOOKUP what={dir="fh" name=text(200)}
				    long 0x1001 4096
				reply 1
				disconnect`},
		},
	}
}

func rpc001(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	b, d := s.ailing(c, r, ineligible)
	if b == nil {
		return
	}
	if f := say.Part("", r, r.Call, ""); f != nil {
		chunk := b.Reduced.Reads[d.chunk]
		f.Sayf("the %s reduced %d octets at Position %d (%s), which is not eligible", c.Sender(r.Requester), chunk.Length, chunk.Position, d.what)
		f.See("position", chunk.Position, nil).See("reduced item", d.what, "an eligible item")
		markPosition(f, r.Call, chunk.Position)
	}
}
