package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr001() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-001", Title: "Runt transport header",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A Send is too short for a transport header: it has fewer than the 16 octets of the four fixed words, or " +
			"it is an RDMA_MSG or RDMA_NOMSG of fewer than 28, which three absent lists take: 36 in version 2, where an RDMA2_OPTIONAL has at least 28.",
		Why: "The receiver has to drop it without a word, because it cannot even tell what to answer. The call or reply that " +
			"it should have been is lost: the RPC hangs until its timer fires, and holds a credit until then.",
		Advice: "Look at how the sender works out the length of the Send: at its list of scatter/gather elements, and at which " +
			"of them the header went into.",
		Reference: "RFC 8166, sections 4.2 and 4.5; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "The empty Send by which an iWARP initiator may say that it is ready (RFC 6581) is no message. An RDMA_ERROR may be as " +
			"short as 20 octets; a shorter one is HDR-003's.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Malformed, message001)},
		Fires: []rules.Sample{
			{Name: "an RDMA_MSG of 24 octets", Scene: `
				connect
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 GETATTR
				    payload none
				    cut 4
				    want HDR-001 0+24
				disconnect`},
			{Name: "an RDMA2_MSG of 32 octets", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				send client hex(00001002 00000002 00000020 00000000 00000000 00000000 00000000 00000000)
				    want HDR-001 0+32
				disconnect`},
			{Name: "an RDMA2_OPTIONAL of 24 octets", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				send client hex(00001002 00000002 00000020 00000005 00000000 00000001)
				    want HDR-001 0+24
				disconnect`},
			{Name: "a Send of 12 octets", Scene: `
				connect
				call 1 NFS3 GETATTR
				    payload none
				    cut 16
				    want HDR-001 0+12
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an RDMA2_ERR_BAD_XDR has only 20 octets", Scene: `
				connect version=2
				call 1 NFS3 GETATTR
				error 1 BAD_XDR
				disconnect`},
			{Name: "an initiator says by an empty Send that it is ready", Over: rules.IWARP, Scene: `
				connect
				    mpa rtr=send
				call 1 NFS3 GETATTR
				reply 1
				disconnect`},
			{Name: "the snap length leaves 20 octets of a call", Over: rules.RoCE, Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				snap 74`},
			{Name: "an ERR_CHUNK has only 20 octets", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_CHUNK
				disconnect`},
		},
	}
}

func message001(c *rules.Conn, m *dissect.Message, say rules.Say) {
	if !runt(c, m) {
		return
	}
	f := say.Message("", m, "")
	if f == nil {
		return
	}
	least, what := shortest(m), m.Header.ProcName()
	if m.Length < rpcrdma.FixedSize {
		what = "Send"
	}
	f.Sayf("the %s sent a %s of %d octets, which no transport header fits", c.Sender(m.From), what, m.Length)
	f.See("octets", m.Length, least).In(m, 0, m.Length)
}
