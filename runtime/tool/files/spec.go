package files

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// words are the descriptions of the tools in a language.
type words struct{ lang protocol.Lang }

func (w words) say(english, chinese string) string {
	return i18n.Text{EN: english, ZH: chinese}.In(w.lang)
}

func (w words) path(english, chinese string) tool.Schema {
	return tool.Text(w.say(english, chinese))
}

func pathAliases(p tool.Property) tool.Property {
	return p.Or("file_path", "filePath", "filename", "file", "target_file")
}

func folderAliases(p tool.Property) tool.Property {
	return p.Or("dir", "directory", "folder", "file_path")
}

func (w words) read() tool.Spec {
	return tool.Spec{
		Name: Read, Group: Group, Class: tool.ClassRead,
		Purpose: w.say(
			"Read a file of the workspace, with line numbers, or what was left out of a text that was too long to be given to you whole. The first line of the result says which lines follow and with which offset to go on.",
			"读取工作区中的文件（带行号），或读取因过长而未完整给出的文本中省略的部分。结果的首行说明其后是哪些行，以及继续读取应使用的 offset。",
		),
		Parameters: []tool.Property{
			pathAliases(tool.Must("path", w.path(
				`A file, relative to the workspace, or exactly what the line about what was left out names: "message:ID", "result:ID", "call:ID", "entry:N", "artifact:ID" or "brief:ID".`,
				`相对于工作区的文件路径，或按“此处省略……”一行给出的写法照抄："message:ID"、"result:ID"、"call:ID"、"entry:N"、"artifact:ID" 或 "brief:ID"。`,
			))),
			tool.May("offset", tool.Whole(w.say("Number of the first line to read, counted from 1. Default: 1.", "从第几行开始读取，首行为 1，默认为 1。"))).Or("start_line"),
			tool.May("limit", tool.Whole(w.say("How many lines to read at most. Default: 2000. Fewer come where they are long.", "最多读取多少行，默认为 2000。行较长时返回的行数会更少。"))),
		},
	}
}

func (w words) list() tool.Spec {
	return tool.Spec{
		Name: List, Group: Group, Class: tool.ClassRead,
		Purpose: w.say("List what is in a folder of the workspace: names and bytes. What .gitignore says is left out.", "列出工作区中某个文件夹的内容：名称和字节数。.gitignore 忽略的内容不列出。"),
		Parameters: []tool.Property{
			folderAliases(tool.May("path", w.path("The folder. Default: the workspace.", "文件夹，默认为整个工作区。"))),
			tool.May("depth", tool.Whole(w.say("How many levels to list. Default: 1.", "列出多少层，默认为 1。"))),
		},
	}
}

func (w words) glob() tool.Spec {
	return tool.Spec{
		Name: Glob, Group: Group, Class: tool.ClassRead,
		Purpose: w.say("Find files by their path, newest first.", "按路径查找文件，最新的在前。"),
		Parameters: []tool.Property{
			tool.Must("pattern", tool.Text(w.say(`For example "**/*.go" or "src/*.{js,ts}". Without a slash it is about the name in any folder.`, `例如 "**/*.go" 或 "src/*.{js,ts}"。不含斜杠时匹配任意文件夹中的文件名。`))).Or("glob"),
			folderAliases(tool.May("path", w.path("The folder to look in. Default: the workspace.", "在哪个文件夹中查找，默认为整个工作区。"))),
		},
	}
}

func (w words) grep() tool.Spec {
	return tool.Spec{
		Name: Grep, Group: Group, Class: tool.ClassRead,
		Purpose: w.say("Find lines in files. Returns path:line:text, at most 200 hits.", "在文件中查找匹配的行。返回 path:line:text，最多 200 处。"),
		Parameters: []tool.Property{
			tool.Must("pattern", tool.Text(w.say("A regular expression (RE2), or the exact text with literal.", "正则表达式（RE2）；若设置 literal，则为原文。"))).Or("regex", "query"),
			folderAliases(tool.May("path", w.path(`A folder or file, or "result:ID" or "artifact:ID". Default: the workspace.`, `文件夹或文件，或者 "result:ID"、"artifact:ID"。默认为整个工作区。`))),
			tool.May("glob", tool.Text(w.say(`Only files that match, for example "*.go".`, `只查找匹配的文件，例如 "*.go"。`))).Or("include"),
			tool.May("mode", tool.OneOf(w.say("content: the lines (default). files: the paths alone. count: hits by file.", "content：匹配的行（默认）。files：只要路径。count：每个文件的匹配数。"), "content", "files", "count")).Or("output_mode"),
			tool.May("context", tool.Whole(w.say("Lines to show before and after each hit. Default: 0.", "每处匹配前后各显示多少行，默认为 0。"))).Or("-C"),
			tool.May("literal", tool.YesNo(w.say("Look for exactly this text. Default: false.", "按原文查找，默认为 false。"))),
		},
	}
}

func (w words) write() tool.Spec {
	return tool.Spec{
		Name: Write, Group: Group, Class: tool.ClassEdit,
		Purpose: w.say("Make a file, or replace all of one that you have read. For a part of a file use edit.", "新建文件，或整体替换你已读过的文件。修改文件的一部分请用 edit。"),
		Parameters: []tool.Property{
			pathAliases(tool.Must("path", w.path("The file, relative to the workspace. Missing folders are made.", "相对于工作区的文件路径。缺少的文件夹会自动创建。"))),
			tool.Must("content", tool.Text(w.say("All that is to be in it, at most 1 MiB.", "文件的全部内容，最多 1 MiB。"))).Or("contents", "text"),
		},
	}
}

func (w words) edit() tool.Spec {
	old := func(make func(string, tool.Schema) tool.Property) tool.Property {
		return make("old_string", tool.Text(w.say("What is there now, copied exactly, without line numbers, and with enough around it to stand at one place only.", "现有内容，须原样照抄，不含行号，并包含足够的上下文以便只对应一处。"))).Or("old_str", "oldString", "old_text", "old", "search")
	}
	replacement := func(make func(string, tool.Schema) tool.Property) tool.Property {
		return make("new_string", tool.Text(w.say("What is to be there instead.", "替换后的内容。"))).Or("new_str", "newString", "new_text", "new", "replace")
	}
	all := tool.May("replace_all", tool.YesNo(w.say("Replace it at all places. Default: false.", "替换所有出现之处，默认为 false。"))).Or("replaceAll", "all")
	return tool.Spec{
		Name: Edit, Group: Group, Class: tool.ClassEdit,
		Purpose: w.say("Replace parts of a file that you have read. Either old_string and new_string, or several at once in edits: all are made, in this order, or none.", "替换你已读过的文件中的部分内容。给出 old_string 和 new_string，或在 edits 中一次给出多处：按顺序全部完成，否则一处都不改。"),
		Parameters: []tool.Property{
			pathAliases(tool.Must("path", w.path("The file, relative to the workspace.", "相对于工作区的文件路径。"))),
			old(tool.May), replacement(tool.May), all,
			tool.May("edits", tool.List(w.say("Several replacements, at most 100.", "多处替换，最多 100 处。"), tool.Object("", old(tool.Must), replacement(tool.Must), all))),
		},
	}
}

func (w words) move() tool.Spec {
	return tool.Spec{
		Name: Move, Group: Group, Class: tool.ClassEdit,
		Purpose: w.say("Rename or move a file or folder. Nothing may be at the new path.", "重命名或移动文件或文件夹。新路径处不得已有内容。"),
		Parameters: []tool.Property{
			tool.Must("from", w.path("The path now.", "现在的路径。")).Or("source", "path", "old_path"),
			tool.Must("to", w.path("The new path. Missing folders are made.", "新的路径。缺少的文件夹会自动创建。")).Or("destination", "target", "new_path"),
		},
	}
}

func (w words) delete() tool.Spec {
	return tool.Spec{
		Name: Delete, Group: Group, Class: tool.ClassEdit,
		Purpose: w.say("Delete a file or folder, at most 200 files.", "删除文件或文件夹，最多 200 个文件。"),
		Parameters: []tool.Property{
			pathAliases(tool.Must("path", w.path("What is to be deleted.", "要删除的内容。"))),
			tool.May("recursive", tool.YesNo(w.say("Needed for a folder that is not empty. Default: false.", "删除非空文件夹时必须设为 true，默认为 false。"))),
		},
	}
}
