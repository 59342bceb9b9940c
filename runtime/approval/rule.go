package approval

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"society-tui/runtime/i18n"
	"society-tui/runtime/suggest"
	"society-tui/runtime/tool"
)

// A Rule is an exception from the modes, and a stored record: fields are added, never
// renamed. What it does not limit it matches.
type Rule struct {
	// ID is its number in a society; 0 for a rule of the settings, which has an Origin.
	ID     uint64 `json:"id,omitempty"`
	Origin string `json:"origin,omitempty"`

	Tool string `json:"tool,omitempty"`
	// Path matches paths of the workspace, with ** for any folders.
	Path string `json:"path,omitempty"`
	// Outside lets a rule that allows hold outside the sandbox too.
	Outside bool `json:"outside,omitempty"`

	// RoleName limits it to roles of that name that the user or a template made, Role to
	// one role, by its id. Under limits it to an agent and all below it, Agent to that one.
	RoleName string `json:"roleName,omitempty"`
	Role     string `json:"role,omitempty"`
	Under    string `json:"under,omitempty"`
	Agent    string `json:"agent,omitempty"`

	Do Verdict `json:"do"`
	// Why is told to models whose calls it denies; nothing else of the rule is.
	Why string `json:"why,omitempty"`
}

// longest bounds the texts of a rule, in bytes.
const longest = 1000

// Covers reports whether a rule alone decides a request as it says: it denies or asks for
// one of its paths, or allows all of them.
func (r Rule) Covers(q Request) bool {
	if r.Do != Allow {
		return r.touches(q)
	}
	return !slices.ContainsFunc(q.Paths, func(p tool.Path) bool { return p.Protected }) &&
		allowing(q, []Rule{r}) != nil
}

// Binds reports whether a rule is for an agent, or for all below it, alone.
func (r Rule) Binds(agent string) bool { return r.Agent == agent || r.Under == agent }

// touches reports whether a rule matches a request, by one of its paths if it names paths.
func (r *Rule) touches(q Request) bool {
	switch {
	case !Asks(q.Class), r.Tool != "" && r.Tool != q.Tool,
		r.Role != "" && r.Role != q.Role, r.RoleName != "" && r.RoleName != q.RoleName,
		r.Agent != "" && (len(q.Line) == 0 || q.Line[0] != r.Agent),
		r.Under != "" && !slices.Contains(q.Line, r.Under),
		r.Do == Allow && q.Target.Outside && !r.Outside:
		return false
	case r.Path == "":
		return true
	}
	return slices.ContainsFunc(q.Paths, func(p tool.Path) bool { return doublestar.MatchUnvalidated(r.Path, p.Name) })
}

// Check returns why a rule can never match, or is none; nil for a rule that can. classes are
// those of all tools that there are.
func (r Rule) Check(classes map[string]tool.Class) error {
	class, known := classes[r.Tool]
	switch {
	case !slices.Contains(Verdicts(), r.Do):
		return textDo.With(string(r.Do))
	case r.Tool == "" && r.Path == "":
		return textMatchesAll.With()
	case len(r.Tool)+len(r.Path)+len(r.RoleName)+len(r.Why) > longest:
		return textTooLong.With(longest)
	case r.Tool != "" && !known:
		return meant(textNoTool.With(r.Tool), suggest.Nearest(r.Tool, asking(classes)))
	case r.Tool != "" && !Asks(class):
		return textNeverAsks.With(r.Tool)
	case r.Path == "":
		return nil
	case r.Tool != "" && class != tool.ClassEdit:
		return textNoPaths.With(r.Tool)
	}
	return checkPath(r.Path)
}

// checkPath returns why no path of a workspace can match a glob.
func checkPath(glob string) error {
	parts := strings.Split(glob, "/")
	switch {
	case !doublestar.ValidatePattern(glob):
		return textBadGlob.With(glob)
	case strings.HasPrefix(glob, "/"), len(glob) > 1 && glob[1] == ':':
		return textAbsolute.With(glob)
	case slices.Contains(parts, ".."), slices.Contains(parts, "."), slices.Contains(parts, ""):
		return textUnclean.With(glob)
	}
	return nil
}

// asking returns the names of the tools that rules can name, in order.
func asking(classes map[string]tool.Class) (names []string) {
	for name, class := range classes {
		if Asks(class) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// meant adds a suggestion to what is wrong, if there is one.
func meant(wrong *i18n.Message, suggestion string) error {
	if suggestion == "" {
		return wrong
	}
	return textMeant.With(wrong, suggestion)
}

// String describes a rule on one line, as the settings write its parts.
func (r Rule) String() string {
	words := []string{string(r.Do)}
	for _, part := range []struct{ name, value string }{
		{"", r.Tool}, {"", r.Path}, {"role ", r.RoleName}, {"role ", r.Role}, {"under ", r.Under}, {"agent ", r.Agent},
	} {
		if part.value != "" {
			words = append(words, part.name+part.value)
		}
	}
	return strings.Join(words, " ")
}

// ParseAllow reads a rule of the command line that allows: the name of a tool, and behind a
// blank a glob of paths.
func ParseAllow(text string) Rule {
	name, path, _ := strings.Cut(strings.TrimSpace(text), " ")
	return Rule{Tool: name, Path: strings.TrimSpace(path), Do: Allow}
}
