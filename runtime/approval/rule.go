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
	// Words match calls of commands that begin with these words, each of them whole, or with
	// Exact those that are nothing but these words.
	Words []string `json:"words,omitempty"`
	Exact bool     `json:"exact,omitempty"`
	// Host matches the computer that is asked.
	Host string `json:"host,omitempty"`
	// Identity binds a rule to a tool of an MCP server as it was: see tool.Target.
	Identity string `json:"identity,omitempty"`
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
// one of its paths or calls, or allows all of them.
func (r Rule) Covers(q Request) bool {
	if r.Do != Allow {
		m := r.match(q)
		return m == surely || m == perhaps && r.Do == Ask
	}
	return !slices.ContainsFunc(q.Paths, func(p tool.Path) bool { return p.Protected }) &&
		allowing(q, []Rule{r}) != nil
}

// Binds reports whether a rule is for an agent, or for all below it, alone.
func (r Rule) Binds(agent string) bool { return r.Agent == agent || r.Under == agent }

// A match is the certainty with which a rule matches a request.
type match int

const (
	never   match = iota
	perhaps       // it is known only when the command runs
	surely
)

// match compares a rule with a request, of which it names one path or call if it names any.
func (r *Rule) match(q Request) match {
	switch {
	case !Asks(q.Class), r.Tool != "" && r.Tool != q.Tool,
		r.Role != "" && r.Role != q.Role, r.RoleName != "" && r.RoleName != q.RoleName,
		r.Agent != "" && (len(q.Line) == 0 || q.Line[0] != r.Agent),
		r.Under != "" && !slices.Contains(q.Line, r.Under),
		r.Do == Allow && q.Target.Outside && !r.Outside,
		r.Identity != "" && r.Identity != q.Target.Identity,
		r.Host != "" && !strings.EqualFold(r.Host, q.Target.Host),
		r.Do == Allow && (q.Target.LongQuery || r.Host == "" && q.Class == tool.ClassNet), // see Check
		r.Path != "" && !slices.ContainsFunc(q.Paths, func(p tool.Path) bool { return doublestar.MatchUnvalidated(r.Path, p.Name) }):
		return never
	case len(r.Words) > 0:
		return r.matchCommand(q.Target.Command)
	case r.Do == Allow && q.Target.Command != nil: // see Check
		return never
	}
	return surely
}

// Check returns why a rule can never match, or is none; nil for a rule that can. classes are
// those of all tools that there are, and servers the groups of MCP servers, which may not have
// told their tools yet.
func (r Rule) Check(classes map[string]tool.Class, servers ...tool.Group) error {
	class, known := classes[r.Tool]
	if !known && slices.ContainsFunc(servers, func(g tool.Group) bool { return strings.HasPrefix(r.Tool, string(g)+"_") }) {
		class, known = tool.ClassMCP, true
	}
	long := len(r.Tool) + len(r.Path) + len(r.RoleName) + len(r.Why) + len(r.Host) + len(r.Identity) + len(strings.Join(r.Words, " "))
	switch {
	case !slices.Contains(Verdicts(), r.Do):
		return textDo.With(string(r.Do))
	case long > longest:
		return textTooLong.With(longest)
	case r.Tool != "" && !known:
		return meant(textNoTool.With(r.Tool), suggest.Nearest(r.Tool, asking(classes)))
	case r.Tool != "" && !Asks(class):
		return textNeverAsks.With(r.Tool)
	case len(r.Words) > 0 || r.Exact || r.Outside, class == tool.ClassRun && r.Path == "":
		return r.checkCommand(class)
	case r.Host != "":
		return r.checkHost(class)
	case r.Identity != "" && class != tool.ClassMCP:
		return textNoIdentity.With()
	case class == tool.ClassNet && r.Do == Allow:
		return textNeedsHost.With(r.Tool, r.Tool)
	case r.Tool == "" && r.Path == "":
		return textMatchesAll.With()
	case r.Path == "":
		return nil
	case r.Tool != "" && class != tool.ClassEdit:
		return textNoPaths.With(r.Tool)
	}
	return checkPath(r.Path)
}

// checkHost returns why no call asks the host of a rule.
func (r *Rule) checkHost(class tool.Class) error {
	const notInHosts = `/\:@*?#%[],"'`
	address := strings.Count(r.Host, ":") > 1 && strings.Trim(r.Host, "0123456789abcdefABCDEF:.") == "" // of IPv6
	switch {
	case class != tool.ClassNet:
		return textNoHost.With(Fetch)
	case r.Path != "":
		return textNoPaths.With(r.Tool)
	case !address && strings.ContainsFunc(r.Host, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(notInHosts, c) }), strings.HasPrefix(r.Host, "."), strings.HasSuffix(r.Host, "."), strings.Contains(r.Host, ".."):
		return textBadHost.With(r.Host)
	}
	return nil
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
