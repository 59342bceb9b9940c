package agentcommand

import (
	"strconv"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Artifacts is the command that lists what agents have made, shows one of it, or
// exports it to a file. The frontend sets its Run; the rest of the text is read by
// ArtifactOf.
func (e Env) Artifacts() *command.Command {
	return &command.Command{
		ID: "artifacts", Slash: "/artifacts", Group: command.GroupTasks, Title: i18n.Text{EN: "Artifacts: what agents have made", ZH: "产出：智能体保存的成果"},
		Also: i18n.Text{EN: "files results reports output deliverables", ZH: "文件 结果 报告 成果"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[id or name] [> file]", ZH: "[编号或名称] [> 文件]"}, Rare: true}},
	}
}

// ArtifactOf reads the text of a written command: an artifact, its version, 0 for the
// newest, and the file behind >.
func ArtifactOf(text string) (artifact string, version int, file string) {
	artifact, file, _ = strings.Cut(text, ">")
	artifact, file = strings.TrimSpace(artifact), strings.TrimSpace(file)
	if name, n, found := strings.Cut(artifact, "@"); found {
		if v, err := strconv.Atoi(strings.TrimPrefix(n, "v")); err == nil && v > 0 {
			return name, v, file
		}
	}
	return artifact, 0, file
}
