package config

import (
	"cmp"
	"fmt"
	"slices"

	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
)

// A Rule is a [[rules]] table: an exception from the mode.
type Rule struct {
	Tool    string   `toml:"tool" about:"The tool whose calls it decides, one of an MCP server whatever its server makes of it. Empty: all that change files." zh:"它决定哪个工具的调用；MCP 服务器的工具，无论服务器怎样改变它都适用。留空：所有修改文件的工具。"`
	Path    string   `toml:"path" about:"The files, relative to the workspace, with ** for any folders. Empty: all." zh:"相对于工作区的文件，** 表示任意文件夹。留空：全部。"`
	Words   []string `toml:"words" about:"The first words of the commands, each of them whole." zh:"命令开头的词，逐词完整匹配。"`
	Exact   bool     `toml:"exact" about:"The commands are these words and no more." zh:"命令正好是这些词，没有更多。"`
	Host    string   `toml:"host" about:"The computer that fetch asks. Needed to allow fetch." zh:"fetch 访问的计算机。允许 fetch 时必须写明。"`
	Outside bool     `toml:"outside" about:"Allow the commands outside the sandbox too." zh:"在沙箱外也允许这些命令。"`
	Role    string   `toml:"role" about:"Only for roles of this name that you or a template made." zh:"只用于由你或模板建立的、名为此的角色。"`
	Do      string   `toml:"do" about:"What becomes of the call. Required." zh:"如何处理调用。必填。" oneof:"allow ask deny"`
	Why     string   `toml:"why" about:"What agents are told when it is denied." zh:"拒绝时告诉智能体的原因。"`
	Under   string   `toml:"under"` // an error: agents belong to one session
}

// exampleRule is a rule in a new settings file. A test reads it.
const exampleRule = `# [[rules]]
# tool = "write"
# path = "docs/**"
# do = "allow"
#
# [[rules]]
# tool = "bash"
# words = ["go", "test"]
# do = "allow"
`

// checkRules checks the [[rules]] tables, as far as that needs no tools.
func (s *Settings) checkRules(wrong func(key string, why error)) {
	for i, r := range s.Rules {
		at := fmt.Sprintf("rules[%d]", i)
		if r.Under != "" {
			wrong(at+".under", textUnderSession.With())
		}
		if !slices.Contains(approval.Verdicts(), approval.Verdict(r.Do)) {
			wrong(at+".do", noneOf(r.Do, []string{"allow", "ask", "deny"}))
		}
	}
}

// ApprovalRules returns the rules of the settings and of flags, each with its place. Those
// that can never match are found when a society is opened, which knows the tools.
func (s *Settings) ApprovalRules() (rules []approval.Rule) {
	lang := protocol.Lang(s.Language())
	for i, r := range s.Rules {
		rules = append(rules, approval.Rule{
			Tool: r.Tool, Path: r.Path, Words: r.Words, Exact: r.Exact, Host: r.Host, Outside: r.Outside, RoleName: r.Role, Do: approval.Verdict(r.Do), Why: r.Why,
			Origin: s.stands(fmt.Sprintf("rules[%d]", i)).In(lang),
		})
	}
	for _, text := range s.allowed {
		rule, _ := approval.ParseAllow(text)
		rule.Origin = fmt.Sprintf("--allow %q", text)
		rules = append(rules, rule)
	}
	return rules
}

// Allowed returns the rules of flags as they were written.
func (s *Settings) Allowed() []string { return s.allowed }

// ModeFlag returns the mode that a flag asks for, "" for none: it is set when the session is
// opened.
func (s *Settings) ModeFlag() approval.Mode {
	if s.origin["mode"].Flag == "" || s.Mode == AutoMode {
		return ""
	}
	return approval.Mode(s.Mode)
}

// DefaultMode returns the mode of a session for which none was chosen: that of the settings,
// else what the user has allowed in the workspace. In one that is new agents ask; in folders
// of their own they are free.
func (s *Settings) DefaultMode() approval.Mode {
	switch {
	case s.Mode != AutoMode:
		return approval.Mode(s.Mode)
	case s.Workspace == "":
		return approval.Edits
	}
	return cmp.Or(s.FolderMode(), approval.AskFirst)
}

// ModeSource returns where DefaultMode comes from.
func (s *Settings) ModeSource() approval.Source {
	switch {
	case s.Mode != AutoMode:
		return approval.FromSettings
	case s.FolderMode() != "":
		return approval.FromFolder
	}
	return approval.FromDefault
}
