package template

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/tool/todo"
)

func source(t *testing.T, files map[string]string) Source {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Source{Dir: dir, Groups: offered()}
}

// offered are the groups of tools that the templates name which are built in.
func offered() []tool.Group {
	return append(org.Groups(), files.Group, artifacts.Group, todo.Group)
}

// founded is a new society, as any template is added first.
func founded(t interface{ Fatal(...any) }, lang protocol.Lang) *society.State {
	s := society.New(society.DefaultLimits())
	name, prompt := protocol.RootRole(lang)
	if _, _, err := s.Advance(time.Unix(0, 0), society.Found{Lang: lang, Role: name, Prompt: prompt}); err != nil {
		t.Fatal(err)
	}
	s.SetGroups(map[string]tool.Group{files.List: files.Group, artifacts.Put: artifacts.Group, todo.Name: todo.Group})
	return s
}

// Those that are built in are the same tree in each language, in its words.
func TestBuiltInTemplatesCanBeAddedInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		shape := map[protocol.Lang]string{}
		for _, lang := range protocol.Langs() {
			tmpl, err := Source{Groups: offered()}.Find(name, lang)
			if err != nil {
				t.Fatalf("%s %s: %v", lang, name, err)
			}
			if tmpl.Name != name || tmpl.Description == "" || tmpl.From != "" {
				t.Errorf("%+v", tmpl)
			}
			s := founded(t, lang)
			_, reply, err := s.Advance(time.Unix(1, 0), tmpl.Team)
			if err != nil {
				t.Fatalf("%s %s: %v", lang, name, err)
			}
			if err := society.Check(s); err != nil {
				t.Fatal(err)
			}
			for _, id := range reply.(society.AddTeamResult).Agents {
				a := s.Agent(id)
				shape[lang] += fmt.Sprint(a.Depth, len(a.Children()), len(a.Contacts), s.Role(a.Role).Tools, "\n")
				if strings.HasPrefix(string(id), "agent-") {
					t.Errorf("%s %s: %s says nothing", lang, name, id)
				}
				// What a tree of 28 columns has room for, with a time of day behind it.
				if room := 15 - 2*a.Depth; len(id) > room {
					t.Errorf("%s %s: %s is cut after %d cells", lang, name, id, room)
				}
			}
			for _, r := range tmpl.Team.Roles {
				if han := strings.ContainsFunc(r.Prompt, func(r rune) bool { return unicode.Is(unicode.Han, r) }); han != (lang == protocol.Chinese) {
					t.Errorf("%s %s: %s is in another language", lang, name, r.Name)
				}
				if r.Interface == nil {
					t.Errorf("%s %s: nobody can be told how to ask a %s", lang, name, r.Name)
				}
			}
		}
		if shape[protocol.English] != shape[protocol.Chinese] {
			t.Errorf("%s is not the same in each language:\n%v", name, shape)
		}
	}
}

const own = `name = "mine"
description = "One reader."
[[roles]]
name = "Reader"
prompt = "You read."
tools = []
[[agents]]
role = "Reader"
objective = "read"
constraints = []
inputs = "a"
outputs = "b"
completion_criteria = "c"
`

func TestATemplateIsFoundByItsNameOrItsPath(t *testing.T) {
	t.Parallel()
	s := source(t, map[string]string{
		"mine.toml":   own,
		"debate.toml": strings.Replace(own, `"mine"`, `"debate"`, 1),
		"broken.toml": "name = ",
		"one.toml":    strings.Replace(own, `"mine"`, `"twin"`, 1),
		"two.toml":    strings.Replace(own, `"mine"`, `"twin"`, 1),
		"notes.md":    "not one",
	})
	for name, want := range map[string]string{
		"mine":                            "mine.toml",
		"debate":                          "debate.toml", // before the one that is built in
		"plan":                            "",
		filepath.Join(s.Dir, "mine.toml"): "mine.toml",
	} {
		got, err := s.Find(name, protocol.English)
		if want != "" {
			want = filepath.Join(s.Dir, want)
		}
		if err != nil || got.From != want {
			t.Errorf("%s: %q, %v", name, got.From, err)
		}
	}
	for name, says := range map[string][]string{
		"twin":       {"two templates", "one.toml", "two.toml"},
		"broken":     {"broken.toml:1:"},
		"nobody":     {`no template "nobody"`, "mine", "research", "plan", s.Dir},
		"./no.toml":  {"no.toml", "there is no file"},
		s.Dir + "/":  {"is not a file"},
		"/dev/null/": {"/dev/null"},
	} {
		_, err := s.Find(name, protocol.English)
		for _, part := range says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not say %q", name, err, part)
			}
		}
		if name == "nobody" && strings.Contains(err.Error(), "broken") {
			t.Errorf("%v offers what is broken", err)
		}
	}
	var names []string
	for _, e := range s.List(protocol.Chinese) {
		names = append(names, e.Name)
		if (e.Err != nil) != (e.Name == "broken") {
			t.Errorf("%s: %v", e.Name, e.Err)
		}
	}
	if want := []string{"debate", "mine", "twin", "twin", "research", "plan", "write", "views", "review", "broken"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	if got := (Source{Dir: filepath.Join(s.Dir, "[none]"), Groups: offered()}).List(protocol.English); len(got) != len(Names()) {
		t.Errorf("%v", got)
	}
	without := Source{Groups: org.Groups()}
	if got := without.List(protocol.English); len(got) != len(Names())-1 {
		t.Errorf("without tools for files there are %v", got)
	}
	if _, err := without.Find("review", protocol.English); err == nil || !strings.Contains(err.Error(), `no group "artifacts", "files", "todo"`) {
		t.Errorf("Find(review) without tools for files = %v", err)
	}
}

// All mistakes are reported at once, each with its place.
func TestEveryMistakeIsToldWithItsPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":  {"", []string{"t.toml: the template has no name", "t.toml: it has no roles and no agents"}},
		"no TOML":  {"name = \"x\"\n[[roles]\n", []string{"t.toml:2:"}},
		"bad type": {"name = 7\n", []string{"t.toml:1:8: name: must be text in quotes, not integer"}},
		"bad list": {"name = \"x\"\n[[roles]]\nname = \"R\"\nprompt = \"p\"\ntools = \"talk\"\n", []string{"t.toml:5:9: roles.tools: must be"}},
		"many that cannot be read": {"name = 7\n" + strings.Replace(strings.Replace(own[strings.Index(own, "\n")+1:], "tools = []", "tools = \"talk\"", 1), "constraints = []", "constrains = []", 1), []string{
			"t.toml:1:8: name: must be text", "t.toml:6:9: roles.tools: must be a list, not string", "t.toml:7:3: its brief lacks constraints", "t.toml:10:1: agents.constrains: there is no such field; did you mean constraints?",
		}},
		"what cannot be read hides nothing else": {strings.NewReplacer("\"You read.\"", "5", "\"Reader\"\nobj", "\"Rider\"\nobj").Replace(own) + "[[graphs]]\nname = \"g\"\nentry_points = [\"a\"]\nend_points = [\"a\"]\n[[graphs.nodes]]\nkey = \"a\"\nretries = \"x\"\n[[graphs.edges]]\nfrom = \"a\"\nto = \"b\"\n", []string{
			"t.toml:5:10: roles.prompt: must be text", `t.toml:8:1: there is no role "Rider" in this template`, "t.toml:20:11: graphs.nodes.retries: must be a whole number",
			`t.toml:21:3: "a": the end of an edge "b" is not a node`, `t.toml:21:3: "a": the edge to "b" is never taken`,
		}},
		"what comes of what cannot be read is not told": {strings.Replace(own, "name = \"Reader\"", "name = 5", 1), []string{"t.toml:4:8: roles.name: must be text"}},
		"unknown graph": {strings.Replace(own, "tools = []", "graph = \"nowhere\"", 1), []string{
			`t.toml:6:1: there is no graph "nowhere" (there are known); name one of these`,
		}},
		"mistakes of graphs": {own + "[[graphs]]\nname = \"g\"\nentry_points = [\"a\"]\nend_points = [\"a\"]\n[[graphs.nodes]]\nkey = \"a\"\nretries = 77\n[[graphs.edges]]\nfrom = \"a\"\nto = \"b\"\n", []string{
			`t.toml:20:1: "a": retries is 77`, `t.toml:21:3: "a": the end of an edge "b" is not a node`, `t.toml:21:3: "a": the edge to "b" is never taken`,
		}},
		"unknown fields": {"title = \"x\"\n" + strings.Replace(own, "tools = []", "tool = []", 1), []string{
			"t.toml:1:1: title: there is no such field", "t.toml:7:1: roles.tool: there is no such field; did you mean tools?",
		}},
		"names and prompts": {"name = \"a b\"\n[[roles]]\nname = \"user\"\n[[roles]]\nname = \"R\"\nprompt = \"p\"\ntools = [\"teleport\"]\n[[roles]]\nname = \"R\"\nprompt = \"q\"\n", []string{
			`t.toml:1:1: "a b" is not a valid template name`, `t.toml:3:1: "user": the name can be mistaken`, "t.toml:2:3: the role has no prompt: say what an agent",
			`t.toml:7:1: there is no group "teleport"; there are "organise", "talk", "context"`, `t.toml:9:1: roles[1] is called "R" already`,
		}},
		"agents": {strings.Replace(own, `role = "Reader"`, "role = \"Writer\"\nparent = \"nobody\"", 1), []string{
			`t.toml:8:1: there is no role "Writer" in this template`, `t.toml:9:1: there is no agent "nobody" in this template`,
		}},
		"circles": {own + "as = \"one\"\nparent = \"two\"\n[[agents]]\nas = \"two\"\nrole = \"Reader\"\nparent = \"one\"\n", []string{
			"below itself: one < two < one", "t.toml:16:3: its brief lacks objective, constraints, inputs, outputs, completion_criteria",
		}},
		"briefs": {strings.Replace(own, `inputs = "a"`, "[[agents.collaborators]]\nagent = \"ghost\"", 1), []string{
			"t.toml:7:3: its brief lacks inputs, outputs, completion_criteria", `t.toml:7:3: collaborators[0].agentId: there is no agent "ghost"; name one of this template, or root`,
			"t.toml:13:1: agents.collaborators.outputs: there is no such field; outputs of agents stands before [agents.collaborators]", "t.toml:14:1: agents.collaborators.completion_criteria: there is no such field",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse([]byte(c.text), "t.toml", org.Groups(), []string{"known"})
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not said:\n%v", want, err)
				}
			}
			if n := len(strings.Split(err.Error(), "\n")); n != len(c.want) {
				t.Errorf("%d mistakes, not %d:\n%v", n, len(c.want), err)
			}
		})
	}
}

// What is read is what was written, whatever the texts are.
func TestATemplateIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~äß你，\n]{1,30}[a-z]`)
		prompt, objective, description := text.Draw(t, "prompt"), text.Draw(t, "objective"), text.Draw(t, "description")
		n := rapid.IntRange(1, 4).Draw(t, "agents")
		var b strings.Builder
		fmt.Fprintf(&b, "name = \"x\"\ndescription = %q\n[[roles]]\nname = \"R\"\nprompt = %q\n", description, prompt)
		for i := range n {
			fmt.Fprintf(&b, "[[agents]]\nas = \"a%d\"\nrole = \"R\"\nobjective = %q\nconstraints = [%q]\ninputs = \"i\"\noutputs = \"o\"\ncompletion_criteria = \"c\"\n", i, objective, prompt)
			if i > 0 {
				fmt.Fprintf(&b, "parent = \"a%d\"\n[[agents.collaborators]]\nagent = \"a0\"\n", i-1)
			}
		}
		tmpl, err := parse([]byte(b.String()), "t.toml", org.Groups(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if tmpl.Description != description || tmpl.Team.Roles[0].Prompt != strings.TrimSpace(prompt) || tmpl.Team.Roles[0].Tools != nil {
			t.Fatalf("%+v", tmpl)
		}
		brief, bad := protocol.ParseBrief(protocol.English, tmpl.Team.Agents[n-1].Brief, nil)
		if bad != nil || brief.Objective != objective || !reflect.DeepEqual(brief.Constraints, []string{prompt}) {
			t.Fatalf("%+v, %v", brief, bad)
		}
		s := founded(t, protocol.English)
		if _, _, err := s.Advance(time.Unix(1, 0), tmpl.Team); err != nil || len(s.Agents()) != n+1 {
			t.Fatalf("%v", err)
		}
	})
}

// Whatever lies in a file, reading it ends with a template that a society takes or
// with problems that a terminal can show.
func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		for _, lang := range protocol.Langs() {
			text, err := builtIn.ReadFile(string(lang) + "/" + name + ".toml")
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte(own))
	f.Add([]byte("name = \"\x1b[2J\"\n[roles]\nx = 1\n[[agents]]\nroles = [{name = 1}]\n"))
	f.Add([]byte("roles = [{name = \"a\", prompt = \"b\"}]\nname = 'x'\nagents = [{}, {as = \"root\"}]"))
	f.Add([]byte("\"roles\".name = 1\n[[a.b]]\n[a.b.c]\n[[roles.interface_spec]]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tmpl, err := parse(text, "t.toml", org.Groups(), nil)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				line = strings.TrimSuffix(line, "\n")
				if !strings.HasPrefix(line, "t.toml:") || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Fatalf("%q", line)
				}
			}
			return
		}
		s := founded(t, protocol.English)
		if _, _, err := s.Advance(time.Unix(1, 0), tmpl.Team); err == nil {
			if err := society.Check(s); err != nil {
				t.Fatal(err)
			}
		} else if len(tmpl.Team.Roles) < 100 && !strings.Contains(err.Error(), "limits.") && !strings.Contains(err.Error(), "model") {
			t.Fatalf("a society finds what the reader did not: %v", err)
		}
	})
}

// A role asks for a model by its name or for one with a capability.
func TestARoleOfATemplateAsksForAModel(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]society.TeamRole{
		`model = "big"`:       {Model: "big"},
		`capability = "fast"`: {Capability: "fast"},
		"":                    {},
	} {
		got, err := parse([]byte(strings.Replace(own, "tools = []\n", "tools = []\n"+field+"\n", 1)), "t.toml", org.Groups(), nil)
		if err != nil || got.Team.Roles[0].Model != want.Model || got.Team.Roles[0].Capability != want.Capability {
			t.Errorf("%s: %+v, %v", field, got.Team.Roles, err)
		}
	}
}

// A template of the user names a model as it is called now; all else in the file stays.
func TestTemplatesFollowARenamedModel(t *testing.T) {
	t.Parallel()
	const text = "# mine\nname = 'own'\n\n[[roles]]\nname = 'writer'\nprompt = \"Write with model = 'b'.\"\nmodel = 'b' # it writes best\n\n[[roles]]\nname = 'other'\nmodel = 'bb'\n\n" +
		"[[graphs]]\nname = 'g'\n\n[[graphs.nodes]]\nkey = 'in'\nmodel = 'b'\n"
	dir := t.TempDir()
	path, inline := filepath.Join(dir, "own.toml"), filepath.Join(dir, "inline.toml")
	for file, text := range map[string]string{path: text, inline: "roles = [{ name = 'x', model = 'b' }]\n", filepath.Join(dir, "plain.toml"): "name = 'plain'\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := Source{Dir: dir}.RenameModel(t.Context(), "b", "big")
	if err == nil || !strings.Contains(err.Error(), inline) || strings.Contains(err.Error(), path) {
		t.Errorf("RenameModel() = %v, want one that names %s alone", err, inline)
	}
	got, err := os.ReadFile(path)
	want := strings.Replace(strings.Replace(text, "model = 'b' #", "model = \"big\" #", 1), "'in'\nmodel = 'b'", "'in'\nmodel = \"big\"", 1)
	if err != nil || string(got) != want {
		t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "plain.toml.lock"))
	if len(left) > 0 {
		t.Errorf("a file that names no model was locked: %v", left)
	}
}

// UsesFiles knows the groups by their names, because the tools themselves need much more.
func TestGroupsOfFilesAreThoseOfTheTools(t *testing.T) {
	t.Parallel()
	if fileTools != files.Group || commandTools != shell.Group {
		t.Errorf("UsesFiles looks for %s and %s; the tools are in %s and %s", fileTools, commandTools, files.Group, shell.Group)
	}
}

func TestABuiltInTemplateIsFoundByItsTitle(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{"辩论": "debate", "辩论与决定": "debate", "研究": "research", "三个视角": "views"} {
		if got, err := (Source{Groups: offered()}).Find(title, protocol.Chinese); err != nil || got.Name != want {
			t.Errorf("%s finds %q, %v; want %s", title, got.Name, err, want)
		}
	}
}
