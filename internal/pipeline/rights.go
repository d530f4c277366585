package pipeline

import (
	"io/fs"
	"os"

	"github.com/rdmacap/rdmacap/internal/newfile"
)

// Rights are those that files which are made of the captures may have at most: who may not read
// one of these may not read what was made of it. A capture that cannot be looked at gives none
// away.
func (x Files) Rights() fs.FileMode {
	rights := newfile.All
	for _, name := range x.Names {
		info, err := os.Stat(name)
		if name == "-" {
			f, is := x.Stdin.(*os.File)
			if !is {
				continue
			}
			info, err = f.Stat() // a pipe is nobody else's
		}
		if err == nil {
			rights = newfile.Limit(rights, info)
		}
	}
	return rights
}
