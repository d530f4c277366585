// Package textfile reads the small files that a user writes: settings, descriptions, rules.
package textfile

import (
	"fmt"
	"io"
	"os"
)

// Read is the text of a file of at most so many bytes. No more of it is read than that: what
// is longer, a device among others, is an error.
func Read(path string, most int) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() // read only
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	if err != nil {
		return "", err
	}
	if len(text) > most {
		return "", fmt.Errorf("%s is too long: such a file has at most %d KiB", path, most>>10)
	}
	return string(text), nil
}
