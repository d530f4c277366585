// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// FOLD multiplies the two halves of a block, each by its half of by, and adds
// the products: the same polynomial modulo P, further on. It needs a spare one.
#define FOLD(block, by, spare) \
	VPCLMULQDQ $0x11, by, block, spare \
	VPCLMULQDQ $0x00, by, block, block \
	VPXOR      spare, block, block

// func clmulSum(b []byte, keep, flip *byte, masked int) uint32
//
//	SI      the next block          X0 to X3  blocks that are folded
//	CX      blocks from there on    X8        by 512 bits: four blocks
//	AX, BX  keep and flip for it    X9        by 128 bits: one block
//	DX      how many of them are masked
TEXT ·clmulSum(SB), NOSPLIT, $0-52
	MOVQ    b_base+0(FP), SI
	MOVQ    b_len+8(FP), CX
	SHRQ    $4, CX
	MOVQ    keep+24(FP), AX
	MOVQ    flip+32(FP), BX
	MOVQ    masked+40(FP), DX
	VMOVDQU ·clmulBy+16(SB), X9
	SUBQ    DX, CX
	VPXOR   X0, X0, X0
	JMP     first

masked:
	FOLD(X0, X9, X1)

first:
	VMOVDQU (SI), X1
	VPAND   (AX), X1, X1
	VPXOR   (BX), X1, X1
	VPXOR   X1, X0, X0
	ADDQ    $16, SI
	ADDQ    $16, AX
	ADDQ    $16, BX
	DECQ    DX
	JNZ     masked

	// With many blocks left, four are folded side by side: each product waits
	// for the one before it, but not for the others.
	CMPQ    CX, $7
	JLT     one
	VMOVDQU ·clmulBy+0(SB), X8
	VMOVDQU (SI), X1
	VMOVDQU 16(SI), X2
	VMOVDQU 32(SI), X3
	ADDQ    $48, SI
	SUBQ    $3, CX

four:
	FOLD(X0, X8, X4)
	FOLD(X1, X8, X5)
	FOLD(X2, X8, X6)
	FOLD(X3, X8, X7)
	VPXOR (SI), X0, X0
	VPXOR 16(SI), X1, X1
	VPXOR 32(SI), X2, X2
	VPXOR 48(SI), X3, X3
	ADDQ  $64, SI
	SUBQ  $4, CX
	CMPQ  CX, $4
	JGE   four

	// The four are one behind the other again.
	FOLD(X0, X9, X4)
	VPXOR X1, X0, X0
	FOLD(X0, X9, X4)
	VPXOR X2, X0, X0
	FOLD(X0, X9, X4)
	VPXOR X3, X0, X0

one:
	SUBQ  $1, CX
	JLT   reduce
	FOLD(X0, X9, X4)
	VPXOR (SI), X0, X0
	ADDQ  $16, SI
	JMP   one

reduce:
	// Of 128 bits, the first 64 go 64 bits on, behind the others: 96 are left.
	VPSRLDQ    $8, X0, X1
	VPCLMULQDQ $0x10, X9, X0, X0
	VPXOR      X1, X0, X0

	// The first 32 of them go 64 bits on, too: 64 are left.
	VMOVDQU    ·clmulBy+32(SB), X2
	VMOVDQU    ·clmulBy+48(SB), X3
	VPSRLDQ    $4, X0, X1
	VPAND      X3, X0, X0
	VPCLMULQDQ $0x00, X2, X0, X0
	VPXOR      X1, X0, X0

	// Of these, the first 32 times x^64 / P are, in their first 32 bits, how
	// often P goes into all (Barrett): what is left is the CRC register.
	VMOVDQU    ·clmulBy+64(SB), X2
	VPAND      X3, X0, X1
	VPCLMULQDQ $0x00, X2, X1, X1
	VPAND      X3, X1, X1
	VPCLMULQDQ $0x10, X2, X1, X1
	VPXOR      X1, X0, X0
	VMOVQ      X0, AX
	SHRQ       $32, AX
	NOTL       AX
	MOVL       AX, ret+48(FP)
	RET
