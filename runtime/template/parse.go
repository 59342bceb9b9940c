package template

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tomlfile"
	"society-tui/runtime/tool"
)

// A file is the schema of a template. Other fields are mistakes.
type file struct {
	Name        string             `toml:"name"`
	Description string             `toml:"description"`
	Graphs      []graph.Definition `toml:"graphs"`
	Roles       []role             `toml:"roles"`
	Agents      []agent            `toml:"agents"`
}

type role struct {
	Name      string       `toml:"name"`
	Prompt    string       `toml:"prompt"`
	Interface *interfaceOf `toml:"interface_spec"`
	Tools     []tool.Group `toml:"tools"` // nil, if not given: all
	// MayUse are groups that it has besides, where they are offered.
	MayUse []tool.Group `toml:"may_use"`
	Model  string       `toml:"model"`

	Capability string `toml:"capability"`
	Graph      string `toml:"graph"` // of the template, or one that is known by its name
}

type interfaceOf struct {
	Services     string   `toml:"services"`
	InputFormat  string   `toml:"input_format"`
	OutputFormat string   `toml:"output_format"`
	Examples     []string `toml:"examples"`
}

func (i *interfaceOf) spec() *protocol.InterfaceSpec {
	if i == nil {
		return nil
	}
	s := protocol.InterfaceSpec(*i)
	return &s
}

type agent struct {
	As     string `toml:"as"`
	Role   string `toml:"role"`
	Parent string `toml:"parent"`

	// The brief. What is not given is missing in it too.
	Objective          *string        `toml:"objective"`
	Constraints        []string       `toml:"constraints"`
	Inputs             *string        `toml:"inputs"`
	Outputs            *string        `toml:"outputs"`
	CompletionCriteria *string        `toml:"completion_criteria"`
	Collaborators      []collaborator `toml:"collaborators"`
	References         []string       `toml:"references"`
	Priority           *string        `toml:"priority"`
}

type collaborator struct {
	Agent       string       `toml:"agent"`
	Description string       `toml:"description"`
	Interface   *interfaceOf `toml:"interface_spec"`
}

// brief returns the agent's brief as spawn_agent would be given it.
func (a agent) brief() json.RawMessage {
	b := map[string]any{}
	for name, text := range map[string]*string{
		"objective": a.Objective, "inputs": a.Inputs, "outputs": a.Outputs,
		"completion_criteria": a.CompletionCriteria, "priority": a.Priority,
	} {
		if text != nil {
			b[name] = *text
		}
	}
	for name, texts := range map[string][]string{"constraints": a.Constraints, "references": a.References} {
		if texts != nil {
			b[name] = texts
		}
	}
	var with []protocol.Collaborator
	for _, c := range a.Collaborators {
		with = append(with, protocol.Collaborator{AgentID: c.Agent, Description: c.Description, InterfaceSpec: c.Interface.spec()})
	}
	if with != nil {
		b["collaborators"] = with
	}
	raw, err := json.Marshal(b)
	if err != nil {
		return nil // strings and lists of them can always be encoded
	}
	return raw
}

// A Problem is one mistake in a template.
type Problem struct {
	From         string // the file
	Line, Column int    // where in it, from 1; 0 for the file as a whole
	Why          error
}

// In returns the problem in a language, with its place.
func (p *Problem) In(lang protocol.Lang) string {
	if p.Line == 0 {
		return tomlfile.Printable(textAt.With(p.From, p.Why).In(lang))
	}
	return tomlfile.Printable(textAtPlace.With(p.From, p.Line, p.Column, p.Why).In(lang))
}

// Error returns the problem in English.
func (p *Problem) Error() string { return p.In(protocol.English) }

// parse reads a template. Its error joins a Problem for each mistake, in file order, with
// from as the file's name. Roles may name the tool groups in groups and the graphs in
// graphs; nil allows any. If a part of the file cannot be read, mistakes that may follow
// from it are left out.
func parse(text []byte, from string, groups []tool.Group, graphs []string) (Template, error) {
	text = bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	f, mistakes, whole := tomlfile.Decode(text, func() *file { return new(file) })
	var problems []*Problem
	var unread []string
	for _, m := range mistakes {
		if !m.Unknown {
			unread = append(unread, m.Path)
			whole = whole && apart(m.Path)
		}
		problems = append(problems, misread(from, m))
	}
	t := Template{Name: f.Name, Description: f.Description, From: from, Text: string(text), Team: f.team(groups)}
	if whole {
		where := tomlfile.Places(text)
		for _, m := range append(f.mistakes(), t.Team.Mistakes(groups, graphs)...) {
			if slices.ContainsFunc(unread, func(path string) bool { return tomlfile.Touches(path, m.Where) }) {
				continue
			}
			at := tomlfile.Nearest(where, m.Where)
			problems = append(problems, &Problem{From: from, Line: at.Line, Column: at.Column, Why: m.Why})
		}
	}
	if len(problems) == 0 {
		return t, nil
	}
	slices.SortStableFunc(problems, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	all := make([]error, len(problems))
	for i, p := range problems {
		all[i] = p
	}
	return Template{}, errors.Join(all...)
}

// apart reports whether no other part of the file depends on what stands at a path.
func apart(path string) bool {
	switch field := path[strings.LastIndexByte(path, '.')+1:]; field {
	case "name":
		return path == "name" // those of roles and graphs are referred to
	case "objective", "constraints", "inputs", "outputs", "completion_criteria", "references", "priority",
		"services", "input_format", "output_format", "examples", "capability":
		return true
	default:
		return graph.Apart(field)
	}
}

// team returns the command that adds the template where these groups are offered; nil are all.
func (f file) team(groups []tool.Group) society.AddTeam {
	p := society.AddTeam{Template: f.Name, Graphs: f.Graphs}
	for _, r := range f.Roles {
		for _, g := range r.MayUse {
			if groups == nil || slices.Contains(groups, g) {
				r.Tools = append(r.Tools, g)
			}
		}
		p.Roles = append(p.Roles, society.TeamRole{
			Name: r.Name, Prompt: strings.TrimSpace(r.Prompt), Interface: r.Interface.spec(), Tools: r.Tools, Model: r.Model,
			Capability: r.Capability, Graph: r.Graph,
		})
	}
	for _, a := range f.Agents {
		p.Agents = append(p.Agents, society.TeamAgent{As: a.As, Role: a.Role, Parent: a.Parent, Brief: a.brief()})
	}
	return p
}

// longestName is the most bytes of a template's name.
const longestName = 40

// mistakes returns those that only a file can have.
func (f file) mistakes() society.Mistakes {
	odd := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }
	if len(f.Name) > longestName || strings.ContainsFunc(f.Name, odd) {
		return society.Mistakes{{Where: "name", Why: textBadName.With(f.Name, longestName)}}
	}
	return nil
}

// misread describes a mistake of the TOML file as one of a template.
func misread(from string, m tomlfile.Mistake) *Problem {
	why := m.Why
	if m.Unknown {
		why = noField(m)
	}
	if key := strings.Join(m.Key, "."); key != "" {
		why = textAt.With(key, why)
	}
	return &Problem{From: from, Line: m.Line, Column: m.Column, Why: why}
}

// noField describes a field that does not exist, and suggests one that does, or the
// table around it.
func noField(m tomlfile.Mistake) error {
	why := textNoField.With()
	last := len(m.Key) - 1
	if last == 2 && slices.Contains(tomlfile.Fields[file](m.Key[0]), m.Key[last]) {
		return textBefore.With(why, m.Key[last], m.Key[0], strings.Join(m.Key[:last], "."))
	}
	if m.Meant != "" {
		return textMeant.With(why, m.Meant)
	}
	return why
}
