package files

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/workspace"
)

// Why a call does nothing, and what to do next.
var (
	textNoWorkspace     = i18n.Text{EN: "There is no folder for your files: %s. Go on without files, and tell the user.", ZH: "没有可供你存放文件的文件夹：%s。请在不使用文件的情况下继续，并告知用户。"}
	textSystem          = i18n.Text{EN: "%s: the system says %q. Try once more; if it stays so, tell the user.", ZH: "%s：系统报告 %q。请再试一次；若仍然如此，请告知用户。"}
	textNotFound        = i18n.Text{EN: "There is no %q. Find the path with list or glob.", ZH: "不存在 %q。请用 list 或 glob 查找路径。"}
	textNotFoundSimilar = i18n.Text{EN: "There is no %q. Did you mean one of the similar ones? Else find the path with list or glob.", ZH: "不存在 %q。是否指 similar 中的某一个？否则请用 list 或 glob 查找路径。"}
	textIsFolder        = i18n.Text{EN: "%q is a folder. Name a file in it.", ZH: "%q 是文件夹。请指定其中的文件。"}
	textReadFolder      = i18n.Text{EN: "%q is a folder. Look into it with list.", ZH: "%q 是文件夹。请用 list 查看其内容。"}
	textIsRoot          = i18n.Text{EN: "The workspace itself cannot be deleted. Name what is to go.", ZH: "不能删除工作区本身。请指定要删除的内容。"}
	textExists          = i18n.Text{EN: "%q exists already. Choose another path, or delete it first.", ZH: "%q 已存在。请另选路径，或先将其删除。"}
	textNotEmpty        = i18n.Text{EN: "%q is a folder with %d files. If all of them are to go, call again with recursive true.", ZH: "%q 是含有 %d 个文件的文件夹。若要全部删除，请将 recursive 设为 true 再次调用。"}
	textMoveInto        = i18n.Text{EN: "%q cannot be moved to %q: the workspace stays where it is, and a folder cannot go into itself. Choose another path.", ZH: "不能将 %q 移动到 %q：工作区本身不能移动，文件夹也不能移入自身。请另选路径。"}
	textTooManyFiles    = i18n.Text{EN: "That is about more than %d files. Do it folder by folder.", ZH: "涉及的文件超过 %d 个。请逐个文件夹处理。"}
	textWriteTooLarge   = i18n.Text{EN: "The content has %d bytes, and a file may have %d. Write it in several files.", ZH: "内容有 %d 字节，而文件最多 %d 字节。请分成多个文件写入。"}
	textBinary          = i18n.Text{EN: "%q is no text, but %s, %d bytes. It cannot be shown or edited.", ZH: "%q 不是文本，而是 %s，%d 字节。无法显示或编辑。"}
	textNoChange        = i18n.Text{EN: "%q is already as you want it: nothing was changed.", ZH: "%q 已经是你想要的内容：没有作任何更改。"}
	textNotRead         = i18n.Text{EN: "You have not read %q. Its first %d lines of %d are in content. Check that your change fits, then call again: it counts as read now.", ZH: "你还没有读过 %q。content 中是其前 %d 行（共 %d 行）。请确认你的更改合适，然后再次调用：该文件现已视为读过。"}
	textNotReadBinary   = i18n.Text{EN: "You have not read %q, which is %s of %d bytes. If it is to be replaced, call again.", ZH: "你还没有读过 %q，它是 %s，%d 字节。若确实要替换它，请再次调用。"}
	textStale           = i18n.Text{EN: "%q has changed since you read it: nothing was written. See how it is now, mend your change, and call again: it counts as read now.", ZH: "%q 在你读取之后已被更改：没有写入任何内容。请查看现在的内容，修正你的更改后再次调用：该文件现已视为读过。"}
	textStaleBy         = i18n.Text{EN: "%q has been changed by %s since you read it: nothing was written. See how it is now, mend your change so that both stay, and call again: it counts as read now.", ZH: "%q 在你读取之后已被 %s 更改：没有写入任何内容。请查看现在的内容，修正你的更改以保留双方的修改，然后再次调用：该文件现已视为读过。"}
	textStaleGone       = i18n.Text{EN: "%q no longer exists: nothing was written. To make it again, use write.", ZH: "%q 已不存在：没有写入任何内容。若要重新创建，请使用 write。"}
	textStaleFolder     = i18n.Text{EN: "What is in the folder has changed since this call was allowed: nothing was done. Look with list, and call again.", ZH: "此调用获准之后，文件夹的内容已发生变化：没有执行任何操作。请用 list 查看后再次调用。"}
	textPartlyDone      = i18n.Text{EN: "%d files were changed, then this happened: %s. Look with list what is left to do.", ZH: "已更改 %d 个文件，随后发生：%s。请用 list 查看还有什么要做。"}
	textNoEdits         = i18n.Text{EN: "There is nothing to replace. Give old_string and new_string, or edits with several of them.", ZH: "没有要替换的内容。请给出 old_string 和 new_string，或在 edits 中给出多组。"}
	textTooManyEdits    = i18n.Text{EN: "These are %d edits, and one call may make %d. Make several calls.", ZH: "共有 %d 处修改，而一次调用最多 %d 处。请分多次调用。"}
	textTooManyPlaces   = i18n.Text{EN: "The old_string of %s stands in more than %d places of %s. Give a longer one.", ZH: "%s 的 old_string 在超过 %d 处出现（文件 %s）。请给出更长的文字。"}
	textFirst           = i18n.Text{EN: "the edit", ZH: "此修改"}
	textNumber          = i18n.Text{EN: "edit %d of %d", ZH: "第 %d 处修改（共 %d 处）"}
	textEmptyOld        = i18n.Text{EN: "The old_string of %s is empty. To make a file or to replace all of it use write.", ZH: "%s 的 old_string 为空。要创建文件或替换全部内容，请使用 write。"}
	textSameStrings     = i18n.Text{EN: "The old_string and new_string of %s are the same. Nothing was changed.", ZH: "%s 的 old_string 与 new_string 相同。没有作任何更改。"}
	textNoMatch         = i18n.Text{EN: "The old_string of %s is not in %q, and nothing was changed. Read the part of the file and copy it exactly, without the line numbers.", ZH: "%s 的 old_string 不在 %q 中，没有作任何更改。请读取文件的相应部分并原样照抄，不含行号。"}
	textNoMatchNearest  = i18n.Text{EN: "The old_string of %s is not in %q, and nothing was changed. The most similar places are in nearest: copy from there exactly, without the line numbers.", ZH: "%s 的 old_string 不在 %q 中，没有作任何更改。nearest 中是最相似的位置：请从那里原样照抄，不含行号。"}
	textAmbiguous       = i18n.Text{EN: "The old_string of %s stands at %d places of %q (see lines), and nothing was changed. Take more of the lines around it, or set replace_all.", ZH: "%s 的 old_string 在 %[3]q 中出现 %[2]d 次（见 lines），没有作任何更改。请多取前后几行，或设置 replace_all。"}
	textEmptyPattern    = i18n.Text{EN: "The pattern is empty. Say what to look for.", ZH: "pattern 为空。请说明要查找的内容。"}
	textBadPattern      = i18n.Text{EN: "The pattern is wrong at character %d, %q: %s. Mend it (RE2, without lookaround and backreferences), or set literal to look for exactly this text.", ZH: "pattern 在第 %d 个字符 %q 处有误：%s。请修正（RE2 语法，不支持环视和反向引用），或设置 literal 以按原文查找。"}
	textBadGlob         = i18n.Text{EN: "%q is no glob. Write for example **/*.go or src/*.{js,ts}.", ZH: "%q 不是有效的通配模式。请写成例如 **/*.go 或 src/*.{js,ts}。"}
)

// The texts of results.
var (
	textNewFile     = i18n.Text{EN: "%s (new)", ZH: "%s（新建）"}
	textBytes       = i18n.Text{EN: "%s, %d bytes", ZH: "%s，%d 字节"}
	textDelete      = i18n.Text{EN: "delete %s", ZH: "删除 %s"}
	textSeveral     = i18n.Text{EN: "%s (%d files)", ZH: "%s（%d 个文件）"}
	textLinesMore   = i18n.Text{EN: "… %d lines more", ZH: "……另有 %d 行"}
	textEmptyFile   = i18n.Text{EN: "%s is empty", ZH: "%s 是空文件"}
	textEmptyFolder = i18n.Text{EN: "%s is empty", ZH: "%s 是空文件夹"}
	textMoreEntries = i18n.Text{EN: "… more than %d: name a folder below, or a narrower pattern", ZH: "……超过 %d 项：请指定下级文件夹，或使用更精确的模式"}
	textNoFiles     = i18n.Text{EN: "no file matches %q", ZH: "没有文件匹配 %q"}
	textNoHits      = i18n.Text{EN: "nothing matches %q", ZH: "没有内容匹配 %q"}
	textGrepLate    = i18n.Text{EN: "… stopped after %d seconds: name a folder or a glob", ZH: "……%d 秒后停止：请指定文件夹或 glob"}
	textGrepMore    = i18n.Text{EN: "… stopped after %d hits: make the pattern narrower, or name a folder or a glob", ZH: "……找到 %d 处后停止：请使用更精确的 pattern，或指定文件夹或 glob"}
)

// workspaceTexts are the errors of a workspace. Those with details name them too.
var workspaceTexts = map[workspace.Code]struct {
	i18n.Text
	details bool
}{
	workspace.Outside:    {i18n.Text{EN: "%q is outside your workspace. Paths are relative to it; try %q.", ZH: "%q 在你的工作区之外。路径须相对于工作区；请试 %q。"}, true},
	workspace.BadName:    {i18n.Text{EN: "%q cannot be the name of a file. Choose another.", ZH: "%q 不能用作文件名。请另选。"}, false},
	workspace.IsLink:     {i18n.Text{EN: "%q is a link to %q, and links are not followed. Use the path of the file itself, if it is in the workspace.", ZH: "%q 是指向 %q 的链接，不会跟随链接。若文件本身在工作区内，请使用它的路径。"}, true},
	workspace.NotRegular: {i18n.Text{EN: "%q is no regular file (%s). It is neither read nor changed.", ZH: "%q 不是普通文件（%s）。不会读取或更改它。"}, true},
	workspace.IsFolder:   {textIsFolder, false},
	workspace.NotFolder:  {i18n.Text{EN: "%q is a file, not a folder. Name the folder that it is in.", ZH: "%q 是文件，不是文件夹。请指定它所在的文件夹。"}, false},
	workspace.CaseTwin:   {i18n.Text{EN: "%q differs only in upper and lower case from %q, which is one file on some systems. Use that name, or a quite different one.", ZH: "%q 与 %q 仅大小写不同，在某些系统上是同一个文件。请使用后者，或另取一个名称。"}, true},
	workspace.Exists:     {textExists, false},
	workspace.TooLarge:   {i18n.Text{EN: "%q has %s bytes, more than can be read at once. Search in it with grep.", ZH: "%q 有 %s 字节，超过一次可读取的大小。请用 grep 在其中查找。"}, true},
}
