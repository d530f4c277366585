package inv

import (
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/requests"
)

func inv004() *rules.Rule {
	return &rules.Rule{
		ID: "INV-004", Title: "Invalidate rejected by the peer",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The receiver of a Send With Invalidate refused it, by a NAK for its PSN or by a Terminate that names its " +
			"message.",
		Why: "The reply does not arrive, and the connection ends. If the adapter of the requester cannot invalidate " +
			"remotely, every reply will end so.",
		Advice: "If the requester's adapter does not support it, clear the flag R in its private data, or in version 2 let its calls name no " +
			"rdma_inv_handle. Otherwise look at whether " +
			"the handle is one that lasts, or was invalidated by the requester itself, as when the RPC was cancelled.",
		Reference: "RFC 8797, section 4.1; InfiniBand Architecture 1.3, volume 1, section 9.4.1.1.3; RFC 5040, section 7.1; " +
			"draft-cel-nfsv4-rpcrdma-version-two-02, section 3",
		Limits: "Silent if the refusal does not tell what it refuses, or the Send is not in the capture.",
		Causes: []string{"INV-001", "INV-002", "INV-003"},
		Needs:  []rules.Knowledge{requests.Knowledge()},
		On:     []rules.Event{requests.OnRefusal(refused004)},
		Fires: []rules.Sample{
			{Name: "a NAK for the reply", Over: rules.RoCE, Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				    noack
				nak client access
				    want INV-004 frame
				    want TRANS-004
				disconnect`},
			{Name: "the STag cannot be invalidated", Over: rules.IWARP, Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				terminate client 0/1/9
				    want INV-004
				    want TRANS-004
				    want TRANS-012
				reset client`},
		},
		Silent: []rules.Sample{
			{Name: "the NAK is for the RDMA Write before", Over: rules.RoCE, Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 9 NFS3 NULL
				reply 9
				call 1 NFS3 READ count=100
				    write 0x1001 100
				rdma write server 0x1001 100
				    noack
				nak client access psn -1
				    want TRANS-004
				call 2 NFS3 NULL
				reply 2`},
			{Name: "a Terminate for another reason", Over: rules.IWARP, Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    invalidate 0x1001
				terminate client 2/0/2
				    want TRANS-012
				reset client`},
		},
	}
}

func refused004(c *rules.Conn, r *requests.Refusal, say rules.Say) {
	s := r.Sent
	// The handle to invalidate is in the last packet.
	if !s.Invalidates || r.Termination == nil && r.PSN != s.Last {
		return
	}
	f := r.Find(say, "", "")
	if f == nil {
		return
	}
	f.Sayf("the %s refused the Send With Invalidate of handle 0x%08x in frame %s: %s", c.Sender(r.From), s.Handle, c.Capture.FrameName(s.Frame), r.Text)
	if r.Termination == nil {
		f.See("AETH syndrome", r.Syndrome.String(), "ACK").See("PSN", r.PSN, nil)
	} else {
		f.See("Terminate", r.Termination.String(), nil).See("MSN", s.Last, nil)
	}
}
