package approval

import (
	"slices"
	"strings"

	"society-tui/runtime/shellwords"
	"society-tui/runtime/tool"
)

// matchCommand compares the words of a rule with the calls of a command. One that allows
// takes them as they are: ./git is not git. One that denies or asks looks everywhere, and at
// the name of a program without its folder.
func (r *Rule) matchCommand(c *tool.Command) match {
	switch {
	case c == nil:
		return never
	case r.Do == Allow:
		if c.Plain && len(c.Calls) > 0 && !slices.ContainsFunc(c.Calls, func(call []string) bool { return !r.begins(call) }) {
			return surely
		}
		return never
	case slices.ContainsFunc(c.Calls, r.names), slices.ContainsFunc(c.Within, r.names):
		return surely
	case slices.ContainsFunc(c.Partial, r.mayName):
		return perhaps
	}
	return never
}

// begins reports whether a call begins with the words of a rule, or is them.
func (r *Rule) begins(call []string) bool {
	return len(call) >= len(r.Words) && slices.Equal(call[:len(r.Words)], r.Words) && (!r.Exact || len(call) == len(r.Words))
}

// names is begins for rules that deny or ask.
func (r *Rule) names(call []string) bool {
	return len(call) >= len(r.Words) && (!r.Exact || len(call) == len(r.Words)) && r.mayName(call[:len(r.Words)])
}

// mayName reports whether a call of which the first words are known may be one that the rule
// names.
func (r *Rule) mayName(known []string) bool {
	n := min(len(known), len(r.Words))
	switch {
	case n == 0:
		return true
	case r.Exact && len(known) > len(r.Words), shellwords.Program(known[0]) != shellwords.Program(r.Words[0]):
		return false
	}
	return slices.Equal(known[1:n], r.Words[1:n])
}

// checkCommand returns why no command can match the words of a rule.
func (r *Rule) checkCommand(class tool.Class) error {
	switch {
	case class != tool.ClassRun:
		return textNotRun.With(Bash)
	case r.Path != "":
		return textNoPaths.With(r.Tool)
	case r.Host != "":
		return textNoHost.With(Fetch)
	case r.Identity != "":
		return textNoIdentity.With()
	case r.Do != Allow && r.Outside:
		return textOutsideDo.With()
	case len(r.Words) == 0 && r.Exact:
		return textNoExact.With()
	case len(r.Words) == 0 && r.Do == Allow:
		return textNoWords.With(r.Tool)
	case slices.Contains(r.Words, ""):
		return textEmptyWord.With()
	case len(r.Words) > 0 && strings.ContainsAny(r.Words[0], special+"'\""):
		return textNoProgram.With(r.Words[0])
	case !r.Exact && slices.ContainsFunc(r.Words, endsCommand):
		return textNoProgram.With(r.Words[slices.IndexFunc(r.Words, endsCommand)])
	case len(r.Words) > 0 && r.Do == Allow && !shellwords.Callable(r.Words):
		return textNotAllowed.With(r.Words[0])
	}
	return nil
}

// endsCommand reports whether a word is written to end a command. Quoted it would be one, which
// an exact rule can name.
func endsCommand(word string) bool {
	return strings.HasSuffix(word, ";") || strings.Trim(word, "|&<>") == ""
}
