package rpcrdma

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr"
)

// A Subset is an xcharsubset: some of the elements of an xcharspec, as bits in
// words (draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 2.1). Element N is bit
// N mod 32 of word N div 32. The draft does not say which bit of a word is the
// first; here it is the least significant one, as in the bitmap4 of NFSv4.
type Subset struct {
	// Start is the byte of Option.Info that its count of words begins at, Words
	// how many words it has.
	Start, Words int

	first int // in Option.words
}

// subset reads an xcharsubset: uint32<>.
func (o *Option) subset(c *xdr.Cursor) Subset {
	const word = 4
	s := Subset{Start: c.Offset(), first: len(o.words)}
	n := c.Count(math.MaxInt, word)
	if c.Bad() {
		return Subset{}
	}
	s.Words = n
	for range n {
		o.words = append(o.words, c.Uint32())
	}
	return s
}

// SubsetWords are the words of one of the option's subsets.
func (o *Option) SubsetWords(s Subset) []uint32 { return o.words[s.first : s.first+s.Words] }

// Has reports whether element n is in a subset; words that are not there are 0.
func (o *Option) Has(s Subset, n int) bool {
	if n < 0 || n/32 >= s.Words {
		return false
	}
	return o.words[s.first+n/32]>>(n%32)&1 != 0
}

// Elements calls yield with the number of each element in a subset, from 0, in
// order, until it returns false.
func (o *Option) Elements(s Subset, yield func(n int) bool) {
	for i, word := range o.SubsetWords(s) {
		for bit := 0; word != 0; bit, word = bit+1, word>>1 {
			if word&1 != 0 && !yield(32*i+bit) {
				return
			}
		}
	}
}
