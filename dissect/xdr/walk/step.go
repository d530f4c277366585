package walk

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A block is what to do, step by step, to go over a value.
type block struct {
	steps []step
	// whole says that all steps are there: of a type that contains itself
	// the block is named before it is.
	whole bool
	// framed says that the block keeps a selector of contents, so that its
	// steps cannot be part of another block.
	framed bool
}

// op is what a step does.
type op uint8

const (
	opSkip     op = iota // pass over n bytes
	opPeek               // report n bytes that the next steps go over
	opWord               // report a word of 4 bytes
	opHyper              // report a hyper
	opBool               // look at a Boolean
	opFixed              // report n bytes and pass over their pad
	opOpaque             // a length word of at most n, the bytes and their pad
	opRun                // a count word of at most n, elements of each bytes
	opArray              // a count word of at most n, elements by sub
	opLoop               // n elements by sub
	opOptional           // a Boolean, and sub if it is TRUE
	opList               // Booleans of TRUE, each with an element by sub, and one of FALSE
	opUnion              // a word and the arm that it selects
	opCall               // sub
)

// A step is one step over a value.
type step struct {
	op op
	// signed words are extended to 64 bits.
	signed bool
	// status says that the word is the status of an operation, ok that the
	// value ok means success.
	status bool
	// keep says that the word or run selects a content.
	keep bool
	// eligible says that the opaque data are DDP-eligible.
	eligible bool
	// operations says that the elements of the array are operations.
	operations bool
	ok         uint32
	// mark is what reports the value, -1 if nobody asks; also are others
	// that ask for the same value.
	mark int32
	also []int32
	// field is the index in Plan.Fields of what the step is about.
	field int32
	// n is a number of bytes or elements, or the greatest one.
	n uint64
	// each is the least number of bytes that an element takes.
	each int
	sub  *block
	arms *arms
	// content says what opaque data hold, if marks are in it.
	content *contentPlan
}

// A contentPlan is how to go over what opaque data hold.
type contentPlan struct {
	sub  *block // of a whole value
	arms *arms  // of what a word or a bitmap selects
	bits bool   // it is a bitmap
}

// arms are the arms of a union by the value of the discriminant.
type arms struct {
	// dense are the indices in to of the values from first on, other where there
	// is none; values are those that lie too far behind, to be searched.
	first  uint32
	dense  []int32
	values []types.Arm // Field is an index in to
	// other is the index of the default arm, -1 if there is none.
	other int32
	// boolean says that the discriminant is TRUE or FALSE and nothing else.
	boolean bool
	to      []armPlan
}

// An armPlan is how to go over an arm: n bytes, and then sub if there is one.
type armPlan struct {
	n   int
	sub *block
}

// findArm is the arm that a value selects, nil if there is none.
func (a *arms) findArm(v uint32) *armPlan {
	i := a.other
	if at := v - a.first; at < uint32(len(a.dense)) {
		i = a.dense[at]
	} else if len(a.values) > 0 {
		i = a.search(v)
	}
	if i < 0 {
		return nil
	}
	return &a.to[i]
}

// search is the index in to for a value that is not among the dense ones.
func (a *arms) search(v uint32) int32 {
	i, known := slices.BinarySearchFunc(a.values, v, func(arm types.Arm, v uint32) int { return cmp.Compare(arm.Value, v) })
	if !known {
		return a.other
	}
	return int32(a.values[i].Field)
}

// isOther reports whether an arm is the default one.
func (a *arms) isOther(p *armPlan) bool { return a.other >= 0 && p == &a.to[a.other] }
