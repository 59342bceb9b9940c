package files

import (
	"fmt"

	"society-tui/runtime/protocol"
	"society-tui/runtime/workspace"
)

// A text is a sentence to agents, with verbs as in fmt, the same in both languages.
type text struct{ en, zh string }

func (t text) in(lang protocol.Lang, args ...any) string {
	said := t.en
	if lang == protocol.Chinese {
		said = t.zh
	}
	if len(args) == 0 {
		return said
	}
	return fmt.Sprintf(said, args...)
}

// Why a call does nothing, and what to do next.
var (
	textNoWorkspace     = text{"There is no folder for your files: %s. Go on without files, and tell the user.", "没有可供你存放文件的文件夹：%s。请在不使用文件的情况下继续，并告知用户。"}
	textSystem          = text{"%s: the system says %q. Try once more; if it stays so, tell the user.", "%s：系统报告 %q。请再试一次；若仍然如此，请告知用户。"}
	textNotFound        = text{"There is no %q. Find the path with list or glob.", "不存在 %q。请用 list 或 glob 查找路径。"}
	textNotFoundSimilar = text{"There is no %q. Did you mean one of the similar ones? Else find the path with list or glob.", "不存在 %q。是否指 similar 中的某一个？否则请用 list 或 glob 查找路径。"}
	textIsFolder        = text{"%q is a folder. Name a file in it.", "%q 是文件夹。请指定其中的文件。"}
	textReadFolder      = text{"%q is a folder. Look into it with list.", "%q 是文件夹。请用 list 查看其内容。"}
	textIsRoot          = text{"The workspace itself cannot be deleted. Name what is to go.", "不能删除工作区本身。请指定要删除的内容。"}
	textExists          = text{"%q exists already. Choose another path, or delete it first.", "%q 已存在。请另选路径，或先将其删除。"}
	textNotEmpty        = text{"%q is a folder with %d files. If all of them are to go, call again with recursive true.", "%q 是含有 %d 个文件的文件夹。若要全部删除，请将 recursive 设为 true 再次调用。"}
	textMoveInto        = text{"%q cannot be moved to %q: the workspace stays where it is, and a folder cannot go into itself. Choose another path.", "不能将 %q 移动到 %q：工作区本身不能移动，文件夹也不能移入自身。请另选路径。"}
	textTooManyFiles    = text{"That is about more than %d files. Do it folder by folder.", "涉及的文件超过 %d 个。请逐个文件夹处理。"}
	textWriteTooLarge   = text{"The content has %d bytes, and a file may have %d. Write it in several files.", "内容有 %d 字节，而文件最多 %d 字节。请分成多个文件写入。"}
	textBinary          = text{"%q is no text, but %s, %d bytes. It cannot be shown or edited.", "%q 不是文本，而是 %s，%d 字节。无法显示或编辑。"}
	textNoChange        = text{"%q is already as you want it: nothing was changed.", "%q 已经是你想要的内容：没有作任何更改。"}
	textNotRead         = text{"You have not read %q. Its first %d lines of %d are in content. Check that your change fits, then call again: it counts as read now.", "你还没有读过 %q。content 中是其前 %d 行（共 %d 行）。请确认你的更改合适，然后再次调用：该文件现已视为读过。"}
	textNotReadBinary   = text{"You have not read %q, which is %s of %d bytes. If it is to be replaced, call again.", "你还没有读过 %q，它是 %s，%d 字节。若确实要替换它，请再次调用。"}
	textStale           = text{"%q has changed since you read it: nothing was written. See how it is now, mend your change, and call again: it counts as read now.", "%q 在你读取之后已被更改：没有写入任何内容。请查看现在的内容，修正你的更改后再次调用：该文件现已视为读过。"}
	textStaleBy         = text{"%q has been changed by %s since you read it: nothing was written. See how it is now, mend your change so that both stay, and call again: it counts as read now.", "%q 在你读取之后已被 %s 更改：没有写入任何内容。请查看现在的内容，修正你的更改以保留双方的修改，然后再次调用：该文件现已视为读过。"}
	textStaleGone       = text{"%q no longer exists: nothing was written. To make it again, use write.", "%q 已不存在：没有写入任何内容。若要重新创建，请使用 write。"}
	textStaleFolder     = text{"What is in the folder has changed since this call was allowed: nothing was done. Look with list, and call again.", "此调用获准之后，文件夹的内容已发生变化：没有执行任何操作。请用 list 查看后再次调用。"}
	textPartlyDone      = text{"%d files were changed, then this happened: %s. Look with list what is left to do.", "已更改 %d 个文件，随后发生：%s。请用 list 查看还有什么要做。"}
	textNoEdits         = text{"There is nothing to replace. Give old_string and new_string, or edits with several of them.", "没有要替换的内容。请给出 old_string 和 new_string，或在 edits 中给出多组。"}
	textTooManyEdits    = text{"These are %d edits, and one call may make %d. Make several calls.", "共有 %d 处修改，而一次调用最多 %d 处。请分多次调用。"}
	textTooManyPlaces   = text{"The old_string of %s stands in more than %d places of %s. Give a longer one.", "%s 的 old_string 在超过 %d 处出现（文件 %s）。请给出更长的文字。"}
	textFirst           = text{"the edit", "此修改"}
	textNumber          = text{"edit %d of %d", "第 %d 处修改（共 %d 处）"}
	textEmptyOld        = text{"The old_string of %s is empty. To make a file or to replace all of it use write.", "%s 的 old_string 为空。要创建文件或替换全部内容，请使用 write。"}
	textSameStrings     = text{"The old_string and new_string of %s are the same. Nothing was changed.", "%s 的 old_string 与 new_string 相同。没有作任何更改。"}
	textNoMatch         = text{"The old_string of %s is not in %q, and nothing was changed. Read the part of the file and copy it exactly, without the line numbers.", "%s 的 old_string 不在 %q 中，没有作任何更改。请读取文件的相应部分并原样照抄，不含行号。"}
	textNoMatchNearest  = text{"The old_string of %s is not in %q, and nothing was changed. The most similar places are in nearest: copy from there exactly, without the line numbers.", "%s 的 old_string 不在 %q 中，没有作任何更改。nearest 中是最相似的位置：请从那里原样照抄，不含行号。"}
	textAmbiguous       = text{"The old_string of %s stands at %d places of %q (see lines), and nothing was changed. Take more of the lines around it, or set replace_all.", "%s 的 old_string 在 %[3]q 中出现 %[2]d 次（见 lines），没有作任何更改。请多取前后几行，或设置 replace_all。"}
	textEmptyPattern    = text{"The pattern is empty. Say what to look for.", "pattern 为空。请说明要查找的内容。"}
	textBadPattern      = text{"The pattern is wrong at character %d, %q: %s. Mend it (RE2, without lookaround and backreferences), or set literal to look for exactly this text.", "pattern 在第 %d 个字符 %q 处有误：%s。请修正（RE2 语法，不支持环视和反向引用），或设置 literal 以按原文查找。"}
	textBadGlob         = text{"%q is no glob. Write for example **/*.go or src/*.{js,ts}.", "%q 不是有效的通配模式。请写成例如 **/*.go 或 src/*.{js,ts}。"}
)

// What results say.
var (
	textNewFile     = text{"%s (new)", "%s（新建）"}
	textBytes       = text{"%s, %d bytes", "%s，%d 字节"}
	textDelete      = text{"delete %s", "删除 %s"}
	textSeveral     = text{"%s (%d files)", "%s（%d 个文件）"}
	textLinesMore   = text{"… %d lines more\n", "……另有 %d 行\n"}
	textEmptyFile   = text{"%s is empty", "%s 是空文件"}
	textEmptyFolder = text{"%s is empty", "%s 是空文件夹"}
	textMoreEntries = text{"… more than %d: name a folder below, or a narrower pattern\n", "……超过 %d 项：请指定下级文件夹，或使用更精确的模式\n"}
	textNoFiles     = text{"no file matches %q", "没有文件匹配 %q"}
	textNoHits      = text{"nothing matches %q", "没有内容匹配 %q"}
	textGrepLate    = text{"… stopped after %d seconds: name a folder or a glob\n", "……%d 秒后停止：请指定文件夹或 glob\n"}
	textGrepMore    = text{"… stopped after %d hits: make the pattern narrower, or name a folder or a glob\n", "……找到 %d 处后停止：请使用更精确的 pattern，或指定文件夹或 glob\n"}
)

// workspaceTexts say the errors of a workspace. Those with details name them too.
var workspaceTexts = map[workspace.Code]struct {
	text
	details bool
}{
	workspace.Outside:    {text{"%q is outside your workspace. Paths are relative to it; try %q.", "%q 在你的工作区之外。路径须相对于工作区；请试 %q。"}, true},
	workspace.BadName:    {text{"%q cannot be the name of a file. Choose another.", "%q 不能用作文件名。请另选。"}, false},
	workspace.IsLink:     {text{"%q is a link to %q, and links are not followed. Use the path of the file itself, if it is in the workspace.", "%q 是指向 %q 的链接，不会跟随链接。若文件本身在工作区内，请使用它的路径。"}, true},
	workspace.NotRegular: {text{"%q is no regular file (%s). It is neither read nor changed.", "%q 不是普通文件（%s）。不会读取或更改它。"}, true},
	workspace.IsFolder:   {textIsFolder, false},
	workspace.NotFolder:  {text{"%q is a file, not a folder. Name the folder that it is in.", "%q 是文件，不是文件夹。请指定它所在的文件夹。"}, false},
	workspace.CaseTwin:   {text{"%q differs only in upper and lower case from %q, which is one file on some systems. Use that name, or a quite different one.", "%q 与 %q 仅大小写不同，在某些系统上是同一个文件。请使用后者，或另取一个名称。"}, true},
	workspace.Exists:     {textExists, false},
	workspace.TooLarge:   {text{"%q has %s bytes, more than can be read at once. Search in it with grep.", "%q 有 %s 字节，超过一次可读取的大小。请用 grep 在其中查找。"}, true},
}
