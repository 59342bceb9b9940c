package api_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// told are all values that clients receive.
var told = []any{
	api.Changes{},
	api.TimelineEvent{},
	api.StartReport{},
	api.Draft{},
	api.Output{},
	api.Process{},
	api.Sandbox{},
	api.SandboxState(""),
	api.SandboxNetwork(""),
	api.Entries{},
	api.Waiting{},
	api.Value{},
	api.Revision(""),
	api.InboxQuery{},
	api.InboxMessage{},
	api.Task{},
	api.RequestKey{},
	api.Cursor{},
	api.Figures{},
	api.TaskFigures{},
	api.RoleFigures{},
	api.Spent{},
	api.Profile{},
	api.Tool{},
	api.Role{},
	api.Model{},
	api.Known{},
	api.KnownFrom(""),
	api.Price{},
	api.Asked{},
	api.Graph{},
	api.MissingModel{},
	api.Row{},
	api.Retry{},
	api.Walk{},
	api.Approval{},
	api.ApprovalEnd{},
	api.Policy{},
	api.FileChange{},
	api.FileChangesQuery{},
	api.UndoRequest{},
	api.UndoResult{},
	api.Artifact{},
	api.File{},
	api.Worktree{},
	api.Server{},
	api.ServerState(""),
	api.ServerTool{},
	api.LeftReason(""),
	api.ServerSwitch(""),
	api.ModelProvider{},
	api.KeyPlace(""),
	api.ModelList{},
	api.ListedModel{},
	api.Finding(0),
	api.Version{},
}

// local are values of ModelSetup that hold errors or a key: package attachapi has forms of its
// own for them.
var local = []any{
	api.ModelAddress{},
	api.Entered(""),
	api.ModelDraft{},
	api.ModelTrial{},
	api.ModelSaved{},
	api.DisabledModel{},
}

// asked are the commands of clients and their replies.
var asked = []any{
	society.Found{},
	society.Send{},
	society.Interrupt{},
	society.Rewind{},
	society.Rewound{},
	society.Fork{},
	society.Forked{},
	society.Stop{},
	society.PauseAgent{},
	society.Resume{},
	society.Terminate{},
	society.DropWaiting{},
	society.Spawn{},
	society.Rename{},
	society.MakeRole{},
	society.EditRole{},
	society.ChooseModel{},
	society.ChooseGraph{},
	society.AssignModel{},
	society.RenameModel{},
	society.SetEffort{},
	society.EffortChange{},
	society.AddTeam{},
	society.PauseAll{},
	society.Seen{},
	society.Done{},
	society.Sent{},
	society.Interruption{},
	society.StopResult{},
	society.Pausing{},
	society.Resumption{},
	society.TerminateResult{},
	society.Dropped{},
	society.Spawned{},
	society.RoleChange{},
	society.AddTeamResult{},
	society.AnswerApproval{},
	society.MakeRule{},
	society.RemoveRule{},
	society.SetMode{},
	society.ApprovalsAnswered{},
	society.CompressContext{},
	society.ContextCompression{},
	society.ForgetWindow{},
	society.SetBudget{},
	society.BudgetSet{},
	society.ModelAssigned{},
}

// A client need not be in the same process.
func TestEveryValueOfAPIIsTheSameAfterJSON(t *testing.T) {
	t.Parallel()
	for _, v := range slices.Concat(told, asked) {
		comesBack(t, v)
	}
}

// The reply to a request that is sent again comes back from the store.
func TestEveryReplyIsTheSameAfterItWasStored(t *testing.T) {
	t.Parallel()
	for _, v := range asked {
		reply, ok := v.(society.Reply)
		if !ok {
			continue // a command
		}
		kind, text, err := api.EncodeReply(reply)
		if err != nil {
			t.Errorf("EncodeReply(%T) = %v", reply, err)
		}
		if got, err := api.DecodeReply(kind, text); err != nil || !reflect.DeepEqual(got, reply) {
			t.Errorf("DecodeReply(%q) = %+v, %v, want %+v", kind, got, err, reply)
		}
	}
}

// comesBack checks that a value of v's type, with every field set, survives JSON.
func comesBack(t *testing.T, v any) {
	t.Helper()
	typ := reflect.TypeOf(v)
	want := reflect.New(typ)
	fill(t, want.Elem(), typ.String(), 3)
	text, err := json.Marshal(want.Interface())
	if err != nil {
		t.Errorf("Marshal(%s) = %v", typ, err)
		return
	}
	got := reflect.New(typ)
	if err := json.Unmarshal(text, got.Interface()); err != nil {
		t.Errorf("Unmarshal(%s) = %v of %s", typ, err, text)
		return
	}
	if !reflect.DeepEqual(got.Interface(), want.Interface()) {
		t.Errorf("Unmarshal(Marshal(%s)) = %+v, want %+v", typ, got.Elem(), want.Elem())
	}
}

// fill sets every exported field. Values within values of the same type end at depth.
func fill(t *testing.T, v reflect.Value, path string, depth int) {
	t.Helper()
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("a\x00é")
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetString(`"a"`)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		if strings.Count(path, v.Type().String()) < depth {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), path+" "+v.Type().String(), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), path+" item", depth)
		}
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[json.RawMessage]():
			v.SetBytes([]byte(`{"a":1}`))
		case strings.Count(path, v.Type().String()) < depth:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(t, v.Index(0), path+" "+v.Type().String(), depth)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, path+" key", depth)
		fill(t, value, path+" value", depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fill(t, v.Field(i), path+"."+f.Name, depth)
			}
		}
	default:
		t.Errorf("%s is a %s, which no client in another process can be sent", path, v.Kind())
	}
}

// The list above holds all of the package.
func TestEveryTypeOfAPIIsInTheListThatIsChecked(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, v := range slices.Concat(told, local) {
		listed[reflect.TypeOf(v).Name()] = true
	}
	for name, spec := range typesOf(t, ".") {
		if _, ok := spec.Type.(*ast.InterfaceType); !ok && ast.IsExported(name) && !listed[name] {
			t.Errorf("%s is not checked", name)
		}
	}
}

// Every command that has a reply is one of a client.
func TestEveryCommandOfAClientIsInTheListThatIsChecked(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, v := range asked {
		listed[reflect.TypeOf(v).Name()] = true
	}
	file, err := parser.ParseFile(token.NewFileSet(), "../society/reply.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != "answer" {
			continue
		}
		for _, field := range append(f.Recv.List, f.Type.Params.List...) {
			if name := field.Type.(*ast.Ident).Name; !listed[name] {
				t.Errorf("society.%s is not checked", name)
			}
		}
	}
}

// typesOf parses the types that the package in a folder declares.
func typesOf(t *testing.T, dir string) map[string]*ast.TypeSpec {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]*ast.TypeSpec{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), dir+"/"+f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				types[spec.Name.Name] = spec
			}
			return true
		})
	}
	return types
}
