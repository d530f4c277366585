package syntax

// A Decl is one declaration of a text. One of its fields is set. What it consists of is
// valid until the next one is read, but for strings.
type Decl struct {
	Const *Const
	// Typedef is a name for a type.
	Typedef *Field
	// Type is an enum, struct or union that has a name.
	Type    *Type
	Program *Program
}

// A Const is a constant, or a #define with a number.
type Const struct {
	Name  string
	Value Value
	Place Place
}

// A Value is a number as it is written, or the name of a constant. Its Text is ""
// where there is none: <>, or an enum's value that counts on.
type Value struct {
	Text  string
	Place Place
}

// IsName reports whether the value is the name of a constant.
func (v Value) IsName() bool { return isName(v.Text) }

// Form is how a type is written.
type Form uint8

const (
	Basic     Form = iota // a word of the language: unsigned hyper
	Reference             // the name of a type
	Opaque                // opaque NAME[Limit], opaque NAME<Limit>
	String                // string NAME<Limit>
	Array                 // Elem NAME[Limit], Elem NAME<Limit>
	Optional              // Elem *NAME
	Enum                  // enum NAME { Members }
	Struct                // struct NAME { Fields }
	Union                 // union NAME switch (Fields[0]) { Labels: Fields[1:] }
)

// String is the word that a body stands after.
func (f Form) String() string {
	switch f {
	case Enum:
		return "enum"
	case Struct:
		return "struct"
	case Union:
		return "union"
	}
	return "type"
}

// A Type is a type as it is written. Of the fields below Place it has those that its
// Form names.
type Type struct {
	Form Form
	// Fixed says that there are exactly Limit bytes or elements: [Limit].
	Fixed bool
	// Word is what a Basic or Reference is: "unsigned hyper", "nfs_fh4". What published
	// texts write for the words of RFC 4506 (long, short) is given as these.
	Word string
	// Name is the declared name of an enum, struct or union, "" if it has none.
	Name string
	// Place is that of the Name, or else where the type begins; of an Array or Optional
	// that of what is declared to be one.
	Place Place

	Limit   Value
	Elem    *Type
	Members []Member
	// Fields of a union are the discriminant and then the arms; a void arm has no name.
	Fields []Field
	Labels []Label
	// Default is the field of the default arm, 0 if there is none.
	Default int
	// Notes and Doc are those about the whole.
	Notes []Note
	Doc   string
}

// A Member is one name of an enum, with its value. Of the notes that stand at one only
// @rank, @retry and @unsequenced are about it, the others are about the enum.
type Member struct {
	Name  string
	Value Value
	Notes []Note
	Doc   string
	Place Place
}

// A Field is a declaration: a name and its type.
type Field struct {
	// Name is "" where the type is void, and of an argument that has none.
	Name  string
	Type  *Type
	Notes []Note
	Doc   string
	Place Place
}

// A Label is what stands after case, and the field that it selects.
type Label struct {
	Value Value
	Field int
}

// A Program is an RPC program (RFC 5531, section 12).
type Program struct {
	Name     string
	Number   Value
	Versions []*Version
	Doc      string
	Place    Place
}

// A Version is one version of a program.
type Version struct {
	Name       string
	Number     Value
	Procedures []*Procedure
	Doc        string
	Place      Place
}

// A Procedure is one procedure of a version.
type Procedure struct {
	Name   string
	Number Value
	Result *Type
	// Args has at least one: void, if there are none.
	Args  []Field
	Doc   string
	Place Place
}

// A Note is what a comment says in the form of @name and its arguments.
type Note struct {
	Name  string
	Args  []Argument
	Place Place
}

// An Argument is one of a note's.
type Argument struct {
	Text  string
	Place Place
}
