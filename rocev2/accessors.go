package rocev2

// The accessors read an extended header where it lies in Octets. Each is valid
// only if the header's offset is not 0, and returns 0 otherwise.

// VA is the remote virtual address of the RETH or of the AtomicETH.
func (p *Packet) VA() uint64 {
	switch {
	case p.RETH != 0:
		return RETH(p.Octets[p.RETH:]).VA()
	case p.Atomic != 0:
		return AtomicETH(p.Octets[p.Atomic:]).VA()
	}
	return 0
}

// RKey is the R_Key of the RETH or of the AtomicETH; that of the IETH is InvRKey.
func (p *Packet) RKey() uint32 {
	switch {
	case p.RETH != 0:
		return RETH(p.Octets[p.RETH:]).RKey()
	case p.Atomic != 0:
		return AtomicETH(p.Octets[p.Atomic:]).RKey()
	}
	return 0
}

// DMALen is the length of the whole RDMA operation in octets (RETH).
func (p *Packet) DMALen() uint32 {
	if p.RETH == 0 {
		return 0
	}
	return RETH(p.Octets[p.RETH:]).DMALen()
}

// Syndrome is the answer's kind and code (AETH). Its zero value reads as an
// ACK with no credits, so look at p.AETH first.
func (p *Packet) Syndrome() Syndrome {
	if p.AETH == 0 {
		return 0
	}
	return AETH(p.Octets[p.AETH:]).Syndrome()
}

// MSN is the 24-bit message sequence number: how many of the requester's
// messages the responder has completed (AETH).
func (p *Packet) MSN() uint32 {
	if p.AETH == 0 {
		return 0
	}
	return AETH(p.Octets[p.AETH:]).MSN()
}

// Imm is the immediate data, as a big-endian number (ImmDt).
func (p *Packet) Imm() uint32 {
	if p.ImmDt == 0 {
		return 0
	}
	return ImmDt(p.Octets[p.ImmDt:]).Data()
}

// InvRKey is the R_Key that the receiver is to invalidate (IETH).
func (p *Packet) InvRKey() uint32 {
	if p.IETH == 0 {
		return 0
	}
	return IETH(p.Octets[p.IETH:]).RKey()
}

// QKey is the Q_Key of a datagram (DETH).
func (p *Packet) QKey() uint32 {
	if p.DETH == 0 {
		return 0
	}
	return DETH(p.Octets[p.DETH:]).QKey()
}

// SrcQP is the sender's 24-bit queue pair number (DETH).
func (p *Packet) SrcQP() uint32 {
	if p.DETH == 0 {
		return 0
	}
	return DETH(p.Octets[p.DETH:]).SrcQP()
}

// SRQ is the 24-bit number of the receiver's shared receive queue (XRCETH).
func (p *Packet) SRQ() uint32 {
	if p.XRCETH == 0 {
		return 0
	}
	return XRCETH(p.Octets[p.XRCETH:]).SRQ()
}

// EEContext is the 24-bit end-to-end context (RDETH).
func (p *Packet) EEContext() uint32 {
	if p.RDETH == 0 {
		return 0
	}
	return RDETH(p.Octets[p.RDETH:]).EEContext()
}

// Selectivity is the two-bit SEL of a FLUSH: 0 the memory range that the RETH
// names, 1 the whole memory region (FETH).
func (p *Packet) Selectivity() uint8 {
	if p.FETH == 0 {
		return 0
	}
	return FETH(p.Octets[p.FETH:]).Selectivity()
}

// Placement is the four-bit PLT of a FLUSH: bit 0 global visibility, bit 1
// persistence (FETH).
func (p *Packet) Placement() uint8 {
	if p.FETH == 0 {
		return 0
	}
	return FETH(p.Octets[p.FETH:]).Placement()
}

// Swap is what CmpSwap stores or FetchAdd adds (AtomicETH).
func (p *Packet) Swap() uint64 {
	if p.Atomic == 0 {
		return 0
	}
	return AtomicETH(p.Octets[p.Atomic:]).Swap()
}

// Compare is what CmpSwap compares with (AtomicETH).
func (p *Packet) Compare() uint64 {
	if p.Atomic == 0 {
		return 0
	}
	return AtomicETH(p.Octets[p.Atomic:]).Compare()
}

// Original is the remote value before the atomic operation (AtomicAckETH).
func (p *Packet) Original() uint64 {
	if p.AtomicAck == 0 {
		return 0
	}
	return AtomicAckETH(p.Octets[p.AtomicAck:]).Original()
}
