package rocev2

// The accessors read an extended header where it lies in Bytes. Each is valid
// only if the header's offset is not 0, and returns 0 otherwise.

// VA is the remote virtual address of the RETH or of the AtomicETH.
func (p *Packet) VA() uint64 {
	if at := p.RETH(); at != 0 {
		return RETH(p.Bytes[at:]).VA()
	}
	if at := p.Atomic(); at != 0 {
		return AtomicETH(p.Bytes[at:]).VA()
	}
	return 0
}

// RKey is the R_Key of the RETH or of the AtomicETH; that of the IETH is InvRKey.
func (p *Packet) RKey() uint32 {
	if at := p.RETH(); at != 0 {
		return RETH(p.Bytes[at:]).RKey()
	}
	if at := p.Atomic(); at != 0 {
		return AtomicETH(p.Bytes[at:]).RKey()
	}
	return 0
}

// DMALen is the length of the whole RDMA operation in bytes (RETH).
func (p *Packet) DMALen() uint32 {
	at := p.RETH()
	if at == 0 {
		return 0
	}
	return RETH(p.Bytes[at:]).DMALen()
}

// Syndrome is the answer's kind and code (AETH). Its zero value reads as an
// ACK with no credits, so look at p.AETH first.
func (p *Packet) Syndrome() Syndrome {
	at := p.AETH()
	if at == 0 {
		return 0
	}
	return AETH(p.Bytes[at:]).Syndrome()
}

// MSN is the 24-bit message sequence number: how many of the requester's
// messages the responder has completed (AETH).
func (p *Packet) MSN() uint32 {
	at := p.AETH()
	if at == 0 {
		return 0
	}
	return AETH(p.Bytes[at:]).MSN()
}

// Imm is the immediate data, as a big-endian number (ImmDt).
func (p *Packet) Imm() uint32 {
	at := p.ImmDt()
	if at == 0 {
		return 0
	}
	return ImmDt(p.Bytes[at:]).Data()
}

// InvRKey is the R_Key that the receiver is to invalidate (IETH).
func (p *Packet) InvRKey() uint32 {
	at := p.IETH()
	if at == 0 {
		return 0
	}
	return IETH(p.Bytes[at:]).RKey()
}

// QKey is the Q_Key of a datagram (DETH).
func (p *Packet) QKey() uint32 {
	at := p.DETH()
	if at == 0 {
		return 0
	}
	return DETH(p.Bytes[at:]).QKey()
}

// SrcQP is the sender's 24-bit queue pair number (DETH).
func (p *Packet) SrcQP() uint32 {
	at := p.DETH()
	if at == 0 {
		return 0
	}
	return DETH(p.Bytes[at:]).SrcQP()
}

// SRQ is the 24-bit number of the receiver's shared receive queue (XRCETH).
func (p *Packet) SRQ() uint32 {
	at := p.XRCETH()
	if at == 0 {
		return 0
	}
	return XRCETH(p.Bytes[at:]).SRQ()
}

// EEContext is the 24-bit end-to-end context (RDETH).
func (p *Packet) EEContext() uint32 {
	at := p.RDETH()
	if at == 0 {
		return 0
	}
	return RDETH(p.Bytes[at:]).EEContext()
}

// Selectivity is the two-bit SEL of a FLUSH: 0 the memory range that the RETH
// names, 1 the whole memory region (FETH).
func (p *Packet) Selectivity() uint8 {
	at := p.FETH()
	if at == 0 {
		return 0
	}
	return FETH(p.Bytes[at:]).Selectivity()
}

// Placement is the four-bit PLT of a FLUSH: bit 0 global visibility, bit 1
// persistence (FETH).
func (p *Packet) Placement() uint8 {
	at := p.FETH()
	if at == 0 {
		return 0
	}
	return FETH(p.Bytes[at:]).Placement()
}

// Swap is what CmpSwap stores or FetchAdd adds (AtomicETH).
func (p *Packet) Swap() uint64 {
	at := p.Atomic()
	if at == 0 {
		return 0
	}
	return AtomicETH(p.Bytes[at:]).Swap()
}

// Compare is what CmpSwap compares with (AtomicETH).
func (p *Packet) Compare() uint64 {
	at := p.Atomic()
	if at == 0 {
		return 0
	}
	return AtomicETH(p.Bytes[at:]).Compare()
}

// Original is the remote value before the atomic operation (AtomicAckETH).
func (p *Packet) Original() uint64 {
	at := p.AtomicAck()
	if at == 0 {
		return 0
	}
	return AtomicAckETH(p.Bytes[at:]).Original()
}
