package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// promise is what the comment of each promised package says, whatever its lines.
const promise = "Other programs may import this package. While rdmacap is at version 0, a minor version may change what it exports; CHANGELOG.md lists each such change."

// promises reports whether a package comment has the promise.
func promises(comment string) bool {
	return strings.Contains(strings.Join(strings.Fields(comment), " "), promise)
}

// TestComments holds that everything a promised package exports has a comment.
func TestComments(t *testing.T) {
	for _, p := range goList(t, importPaths(promised)...) {
		promised := false
		for _, name := range p.GoFiles {
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			promised = promised || promises(file.Doc.Text())
			for _, lack := range uncommented(file) {
				t.Errorf("%s: %s/%s: %s has no comment", p.ImportPath, p.Name, name, lack)
			}
		}
		if !promised {
			t.Errorf("the comment of %s does not say: %s", p.ImportPath, promise)
		}
	}
}

// uncommented are the exported things of a file that no comment describes. A constant or variable
// may be described by the comment of its group, a field or a method of an interface by that of
// another one of the same type or of the type, which then has its name. A field that is named as its
// type is what that is.
func uncommented(file *ast.File) (list []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && receiverExported(d) && !begins(d.Doc, d.Name.Name) {
				list = append(list, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					list = append(list, uncommentedValues(d, s)...)
				case *ast.TypeSpec:
					list = append(list, uncommentedType(d, s)...)
				}
			}
		}
	}
	return list
}

// receiverExported reports whether a function is no method of an unexported type.
func receiverExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	name, ok := t.(*ast.Ident)
	return !ok || name.IsExported()
}

// begins reports whether a comment begins with a name, perhaps after an article.
func begins(comment *ast.CommentGroup, name string) bool {
	text := comment.Text()
	for _, article := range []string{"", "A ", "An ", "The "} {
		if after, ok := strings.CutPrefix(text, article+name); ok && !regexp.MustCompile(`^\w`).MatchString(after) {
			return true
		}
	}
	return false
}

func uncommentedValues(d *ast.GenDecl, s *ast.ValueSpec) (list []string) {
	for _, name := range s.Names {
		if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil && !enumerates(d) {
			list = append(list, name.Name)
		}
	}
	return list
}

// enumerates reports whether all constants of a group are of one type that its first one names: then
// the type's comment says what they are, and their names are those of the specification.
func enumerates(d *ast.GenDecl) bool {
	return d.Tok == token.CONST && d.Lparen.IsValid() && d.Specs[0].(*ast.ValueSpec).Type != nil
}

func uncommentedType(d *ast.GenDecl, s *ast.TypeSpec) (list []string) {
	if !s.Name.IsExported() {
		return nil
	}
	doc := s.Doc
	if doc == nil {
		doc = d.Doc
	}
	if !begins(doc, s.Name.Name) && (d.Lparen == token.NoPos || doc == nil) {
		list = append(list, s.Name.Name)
	}
	var members *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		members = of.Fields
	case *ast.InterfaceType:
		members = of.Methods
	default:
		return list
	}
	said := doc.Text()
	for _, m := range members.List {
		said += m.Doc.Text() + m.Comment.Text()
	}
	for _, m := range members.List {
		for _, name := range m.Names {
			described := (m.Doc != nil || m.Comment != nil) && len(m.Names) == 1
			of, ok := m.Type.(*ast.Ident)
			described = described || ok && of.Name == name.Name
			if name.IsExported() && !described && !regexp.MustCompile(`\b`+name.Name+`\b`).MatchString(said) {
				list = append(list, s.Name.Name+"."+name.Name)
			}
		}
	}
	return list
}

// TestLackingCommentsAreSeen shows that TestComments can fail.
func TestLackingCommentsAreSeen(t *testing.T) {
	const source = `package p

func A() {}

// It is not named.
func B() {}

// C is described.
func C() {}

func (hidden) Method() {}
func (*D) Method() {}

type D struct{}

// An E has fields: F is one.
type E struct {
	F, G int
	H    int // of a word
	D
	K K
}

// K is a kind.
type K int

const (
	L K = iota
	M
)

const N = 1

// The rest.
const O = 2

// P is an interface.
type P interface{ Q() }
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(uncommented(file), " "), "A B Method D E.G N P.Q"; got != want {
		t.Errorf("without comment are %s, not %s", got, want)
	}
	if promises("Other programs may import this package.") || !promises(strings.ReplaceAll(promise, " may", "\nmay")) {
		t.Error("the promise is not found, or half of it is enough")
	}
}
