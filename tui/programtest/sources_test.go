package programtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// root is the folder of main.go.
const root = "../.."

// A source is a Go file of the project, for any system.
type source struct {
	path, dir  string // "tui/app.go", "tui"; the dir of main.go is "main"
	imports    []string
	selectors  []selector // pkg.Name of imported packages
	goroutines []position
	prints     []position // the builtin print and println
	texts      []text
	logged     []selector // texts of the log and kinds of the timeline
	marks      []selector // literals that are a half-width mark alone, to join texts by
}

// A text is a literal of i18n.Text or i18n.Plural.
type text struct {
	in map[string]string // by field: EN and ZH, or One, Other and ZH
	at position
}

type position struct {
	file     string
	line     int
	function string // the enclosing function or method
}

func (p position) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

type selector struct {
	of, name string
	at       position
}

// ours returns the imports from this module, as folders.
func (s source) ours() []string {
	var dirs []string
	for _, imported := range s.imports {
		if dir, ok := strings.CutPrefix(imported, "society-tui/"); ok {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// product returns the sources without tests.
func product(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(sources(t)), func(s source) bool { return strings.HasSuffix(s.path, "_test.go") })
}

var parsed = sync.OnceValues(parse)

func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("%d files: is %s the project?", len(all), root)
	}
	return all
}

func parse() ([]source, error) {
	var all []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || module(file)) {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(file) != ".go" {
			return nil
		}
		s, err := read(file)
		all = append(all, s)
		return err
	})
	return all, err
}

// module reports whether a folder is a separate module, which the product
// cannot depend on.
func module(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func read(file string) (source, error) {
	relative, err := filepath.Rel(root, file)
	if err != nil {
		return source{}, err
	}
	s := source{path: filepath.ToSlash(relative)}
	s.dir = path.Dir(s.path)
	if s.dir == "." {
		s.dir = "main"
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return s, err
	}
	names := map[string]string{} // the names of packages in this file
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return s, err
		}
		s.imports = append(s.imports, imported)
		if spec.Name != nil {
			names[spec.Name.Name] = nameOf(imported)
		} else {
			names[nameOf(imported)] = nameOf(imported)
		}
	}
	for _, declaration := range tree.Decls {
		name := ""
		if f, ok := declaration.(*ast.FuncDecl); ok {
			name = f.Name.Name
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			if n != nil {
				s.note(n, names, position{file: s.path, line: files.Position(n.Pos()).Line, function: name})
			}
			return true
		})
	}
	return s, nil
}

// nameOf returns the default name of an imported package.
func nameOf(imported string) string {
	name := path.Base(imported)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(imported))
	}
	return name
}

func (s *source) note(n ast.Node, packages map[string]string, at position) {
	switch n := n.(type) {
	case *ast.GoStmt:
		s.goroutines = append(s.goroutines, at)
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && packages[x.Name] != "" {
			s.selectors = append(s.selectors, selector{of: packages[x.Name], name: n.Sel.Name, at: at})
			if n.Sel.Name == "AfterFunc" {
				s.goroutines = append(s.goroutines, at)
			}
		}
	case *ast.CompositeLit:
		s.noteText(n, at)
	case *ast.BasicLit:
		if said, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && slices.Contains([]string{": ", ", ", "; ", " ("}, said) {
			s.marks = append(s.marks, selector{name: said, at: at})
		}
	case *ast.CallExpr:
		s.noteLogged(n, at)
		// WaitGroup.Go and errgroup.Group.Go.
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Go" {
			s.goroutines = append(s.goroutines, at)
		}
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
			s.prints = append(s.prints, at)
		}
	}
}

// noteLogged records the text of a call that writes to the log, or the kind of one that tells the timeline.
func (s *source) noteLogged(n *ast.CallExpr, at position) {
	args := n.Args
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if s.dir != "runtime/society" || f.Name != "logged" && f.Name != "shown" {
			return
		}
		if f.Name == "shown" && len(args) > 2 {
			args = args[2:3]
		}
	case *ast.SelectorExpr:
		of := ""
		switch x := f.X.(type) {
		case *ast.Ident:
			of = x.Name
		case *ast.SelectorExpr:
			of = x.Sel.Name
		case *ast.CallExpr:
			if x, ok := x.Fun.(*ast.SelectorExpr); ok {
				of = x.Sel.Name
			}
		}
		writes := slices.Contains([]string{"Debug", "Info", "Warn", "Error", "Log"}, f.Sel.Name) && slices.Contains([]string{"log", "Log", "Logger", "logOf"}, of)
		if !writes && !(f.Sel.Name == "warn" && s.dir == "runtime/httpserver") {
			return
		}
	default:
		return
	}
	for _, arg := range args {
		if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
			said, _ := strconv.Unquote(text.Value)
			s.logged = append(s.logged, selector{name: said, at: at})
			return
		}
	}
}

// noteText records a literal with a field of a language.
func (s *source) noteText(n *ast.CompositeLit, at position) {
	in := map[string]string{}
	for _, element := range n.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		name, named := field.Key.(*ast.Ident)
		value, plain := field.Value.(*ast.BasicLit)
		if !named || !plain || value.Kind != token.STRING {
			return
		}
		in[name.Name], _ = strconv.Unquote(value.Value)
	}
	if in["ZH"] != "" || in["EN"] != "" || len(in) == 2 && in["One"] != "" && in["Other"] != "" {
		s.texts = append(s.texts, text{in, at})
	}
}
