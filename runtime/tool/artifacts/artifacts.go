// Package artifacts describes the tools with which agents keep what they have made, for
// each other in the same task and for the user. The runtime reads them; what is put is
// decided by package society, so that effect and result are one transaction.
package artifacts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// The names of the tools, and their group.
const (
	Put              = "artifact_put"
	Get              = "artifact_get"
	List             = "artifact_list"
	Group tool.Group = "artifacts"
)

// Bounds of what is kept.
const (
	MostBytes    = 16 << 20  // of a version
	MostVersions = 50        // of an artifact
	MostInTask   = 256 << 20 // bytes of all versions in a task
	mostName     = 200       // bytes
)

// Specs describes the tools. Where there are workspaces, their files can be put.
func Specs(lang protocol.Lang, workspaces bool) []tool.Spec {
	say := func(english, chinese string) string {
		if lang == protocol.Chinese {
			return chinese
		}
		return english
	}
	spec := func(name, purpose string, class tool.Class, arguments ...tool.Property) tool.Spec {
		return tool.Spec{Name: name, Group: Group, Class: class, Purpose: purpose, Parameters: arguments}
	}
	content := []tool.Property{tool.Must("content", tool.Text(say("The text to keep.", "要保存的文本。")))}
	if workspaces {
		content = []tool.Property{
			tool.May("content", tool.Text(say("The text to keep. Give either content or path.", "要保存的文本。content 和 path 二选一。"))),
			tool.May("path", tool.Text(say("A file of your workspace that is kept as it is now.", "工作区中的文件，按当前内容保存。"))),
		}
	}
	named := tool.Must("name", tool.Text(say("A short name, such as \"report.md\".", "简短的名称，例如 \"report.md\"。")))
	return []tool.Spec{
		spec(Put, say(
			"Keep something that you have made: a report, code, data. All agents of your task and the user can read it, also when you have ended. Putting under a name that is there adds a version. Returns its id; cite it in messages as artifact:ID instead of repeating it.",
			"保存你的产出：报告、代码、数据等。同一任务的所有智能体和用户都能读取，在你结束之后仍然保留。用已有的名称再次保存会增加一个版本。返回其 id；在消息中请写 artifact:ID，不要重复其内容。",
		), tool.ClassOwn, append([]tool.Property{named}, content...)...),
		spec(Get, say(
			"Read an artifact of your task, by id or by name. The first line of the result says which lines follow and with which offset to go on.",
			"按 id 或名称读取本任务的产出。结果的首行说明其后是哪些行，以及继续读取应使用的 offset。",
		), tool.ClassRead,
			tool.May("id", tool.Text(say("Its id. Give either id or name.", "其 id。id 和 name 二选一。"))),
			tool.May("name", tool.Text(say("Its name.", "其名称。"))),
			tool.May("version", tool.Whole(say("Which version. Default: the newest.", "版本号，默认为最新版本。"))),
			tool.May("offset", tool.Whole(say("Number of the first line to read, counted from 1. Default: 1.", "从第几行开始读取，首行为 1，默认为 1。"))),
		),
		spec(List, say(
			"List the artifacts of your task: id, name, type, size, version, and who put them.",
			"列出本任务的产出：id、名称、类型、大小、版本和保存者。",
		), tool.ClassRead),
	}
}

// A PutRequest holds the arguments of artifact_put: Path, or Content.
type PutRequest struct {
	Name, Content, Path string
}

// ParsePut reads the arguments of artifact_put, or returns what is wrong with them.
func ParsePut(lang protocol.Lang, arguments string) (PutRequest, *protocol.Reason) {
	args := protocol.ReadArguments(lang, arguments)
	r := PutRequest{Name: args.Filled("name"), Path: args.Text("path"), Content: args.Text("content")}
	if why := args.Wrong(Put); why != nil {
		return r, why
	}
	if why := CheckName(r.Name); why != nil {
		return r, why
	}
	if (r.Path == "") == (args.Raw("content") == nil) {
		return r, protocol.Because(protocol.EitherOr, "content", "path")
	}
	return r, nil
}

// CheckName returns why an artifact cannot have a name, nil if it can. A name is shown, and
// never a place on a disk.
func CheckName(name string) *protocol.Reason {
	switch {
	case !utf8.ValidString(name):
		return protocol.Because(protocol.NameNotUTF8)
	case strings.TrimSpace(name) == "":
		return protocol.Because(protocol.NameMissing)
	case len(name) > mostName:
		return protocol.Because(protocol.TooLong, "name", mostName, len(name))
	}
	for _, c := range name {
		if !unicode.IsPrint(c) { // line ends, control characters, and what changes the direction of writing
			return protocol.Because(protocol.NameInvisible, c)
		}
	}
	return nil
}

// A GetRequest holds the arguments of artifact_get: ID or Name. Version 0 is the newest.
type GetRequest struct {
	ID, Name        string
	Version, Offset int
}

// ParseGet reads the arguments of artifact_get, or returns what is wrong with them.
func ParseGet(lang protocol.Lang, arguments string) (GetRequest, *protocol.Reason) {
	args := protocol.ReadArguments(lang, arguments)
	r := GetRequest{ID: strings.TrimPrefix(strings.TrimSpace(args.Text("id")), "artifact:"), Name: args.Text("name")}
	version, _ := args.Whole("version", MostVersions)
	offset, _ := args.Whole("offset", 0)
	r.Version, r.Offset = int(version), int(min(max(offset, 1), 1<<30))
	if why := args.Wrong(Get); why != nil {
		return r, why
	}
	if (r.ID == "") == (r.Name == "") {
		return r, protocol.Because(protocol.EitherOr, "id", "name")
	}
	return r, nil
}
