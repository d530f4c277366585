// Package scene makes captures from texts that a person can read: who connects,
// what is called with which chunks, what is answered, and what goes wrong.
//
//	text ──lex──> lines ──> statements ──play──> build.Conversation | build.IWARP
//	                             │                        │
//	      dissect/nfs (XDR language) ──> RPC messages ────┘──> Frames, Wants
//
// The same text plays over RoCEv2 and over iWARP, unless it uses a statement of
// one of them. The language is described in docs/scene.md: a test requires that
// every word the parser knows is there, and plays the examples.
package scene
