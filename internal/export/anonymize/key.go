package anonymize

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// A Key decides what things are replaced by.
type Key [32]byte

// NewKey is a random one.
func NewKey() (k Key) {
	rand.Read(k[:]) // never fails
	return k
}

// sum is a keyed function (HMAC-SHA256) of some bytes, another one for each purpose.
func (k *Key) sum(purpose string, parts ...[]byte) (s [sha256.Size]byte) {
	h := hmac.New(sha256.New, k[:])
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(purpose)))
	h.Write(n[:])
	h.Write([]byte(purpose))
	for _, p := range parts {
		h.Write(p)
	}
	h.Sum(s[:0])
	return s
}

// A stream is bytes that do not depend on what they stand for, but on where that is.
type stream struct {
	block cipher.Block
	front [8]byte
}

// stream is that of a name.
func (k *Key) stream(purpose string, name []byte) stream {
	s := k.sum(purpose, name)
	return stream{newAES(s[:16]), [8]byte(s[16:])}
}

// newAES is AES-128.
func newAES(key []byte) cipher.Block {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // of the length of the key, which is a constant
	}
	return b
}

// fill fills b with the bytes of the stream from a position on.
func (s *stream) fill(b []byte, at uint64) {
	var counter [aes.BlockSize]byte
	copy(counter[:], s.front[:])
	binary.BigEndian.PutUint64(counter[8:], at/aes.BlockSize)
	ctr := cipher.NewCTR(s.block, counter[:])
	var before [aes.BlockSize]byte
	skip := before[:at%aes.BlockSize]
	ctr.XORKeyStream(skip, skip)
	clear(b)
	ctr.XORKeyStream(b, b)
}
