package rocev2

// The accessors read an extended header where it lies in Octets. Each is valid
// only if the header's offset is not 0, and returns 0 otherwise.

// VA is the remote virtual address of the RETH or of the AtomicETH.
func (p *Packet) VA() uint64 {
	switch {
	case p.RETH != 0:
		return rethOctets(p.Octets[p.RETH:]).va()
	case p.Atomic != 0:
		return atomicOctets(p.Octets[p.Atomic:]).va()
	}
	return 0
}

// RKey is the R_Key of the RETH or of the AtomicETH; that of the IETH is InvRKey.
func (p *Packet) RKey() uint32 {
	switch {
	case p.RETH != 0:
		return rethOctets(p.Octets[p.RETH:]).rKey()
	case p.Atomic != 0:
		return atomicOctets(p.Octets[p.Atomic:]).rKey()
	}
	return 0
}

// DMALen is the length of the whole RDMA operation in octets (RETH).
func (p *Packet) DMALen() uint32 {
	if p.RETH == 0 {
		return 0
	}
	return rethOctets(p.Octets[p.RETH:]).dmaLen()
}

// Syndrome is the answer's kind and code (AETH). Its zero value reads as an
// ACK with no credits, so look at p.AETH first.
func (p *Packet) Syndrome() Syndrome {
	if p.AETH == 0 {
		return 0
	}
	return aethOctets(p.Octets[p.AETH:]).syndrome()
}

// MSN is the 24-bit message sequence number: how many of the requester's
// messages the responder has completed (AETH).
func (p *Packet) MSN() uint32 {
	if p.AETH == 0 {
		return 0
	}
	return aethOctets(p.Octets[p.AETH:]).msn()
}

// Imm is the immediate data, as a big-endian number (ImmDt).
func (p *Packet) Imm() uint32 {
	if p.ImmDt == 0 {
		return 0
	}
	return immDtOctets(p.Octets[p.ImmDt:]).immediate()
}

// InvRKey is the R_Key that the receiver is to invalidate (IETH).
func (p *Packet) InvRKey() uint32 {
	if p.IETH == 0 {
		return 0
	}
	return iethOctets(p.Octets[p.IETH:]).rKey()
}

// QKey is the Q_Key of a datagram (DETH).
func (p *Packet) QKey() uint32 {
	if p.DETH == 0 {
		return 0
	}
	return dethOctets(p.Octets[p.DETH:]).qKey()
}

// SrcQP is the sender's 24-bit queue pair number (DETH).
func (p *Packet) SrcQP() uint32 {
	if p.DETH == 0 {
		return 0
	}
	return dethOctets(p.Octets[p.DETH:]).srcQP()
}

// SRQ is the 24-bit number of the receiver's shared receive queue (XRCETH).
func (p *Packet) SRQ() uint32 {
	if p.XRCETH == 0 {
		return 0
	}
	return xrcethOctets(p.Octets[p.XRCETH:]).srq()
}

// EEContext is the 24-bit end-to-end context (RDETH).
func (p *Packet) EEContext() uint32 {
	if p.RDETH == 0 {
		return 0
	}
	return rdethOctets(p.Octets[p.RDETH:]).eeContext()
}

// Selectivity is the two-bit SEL of a FLUSH: 0 the memory range that the RETH
// names, 1 the whole memory region (FETH).
func (p *Packet) Selectivity() uint8 {
	if p.FETH == 0 {
		return 0
	}
	return fethOctets(p.Octets[p.FETH:]).selectivity()
}

// Placement is the four-bit PLT of a FLUSH: bit 0 global visibility, bit 1
// persistence (FETH).
func (p *Packet) Placement() uint8 {
	if p.FETH == 0 {
		return 0
	}
	return fethOctets(p.Octets[p.FETH:]).placement()
}

// Swap is what CmpSwap stores or FetchAdd adds (AtomicETH).
func (p *Packet) Swap() uint64 {
	if p.Atomic == 0 {
		return 0
	}
	return atomicOctets(p.Octets[p.Atomic:]).swap()
}

// Compare is what CmpSwap compares with (AtomicETH).
func (p *Packet) Compare() uint64 {
	if p.Atomic == 0 {
		return 0
	}
	return atomicOctets(p.Octets[p.Atomic:]).compare()
}

// Original is the remote value before the atomic operation (AtomicAckETH).
func (p *Packet) Original() uint64 {
	if p.AtomicAck == 0 {
		return 0
	}
	return atomicAckOctets(p.Octets[p.AtomicAck:]).original()
}
