package worktree

import "society-tui/runtime/i18n"

var (
	textNoGit = i18n.Text{
		EN: "git was not found. Install git, or start without isolate",
		ZH: "找不到 git。请安装 git，或不使用 isolate 启动",
	}
	textNoRepository = i18n.Text{
		EN: "%s is not in the work tree of a git repository. Run git init and commit there, name another folder, or start without isolate",
		ZH: "%s 不在 git 仓库的工作树中。请在其中运行 git init 并提交，另选一个文件夹，或不使用 isolate 启动",
	}
	textNoCommit = i18n.Text{
		EN: "the git repository of %s has no commit yet, from which a worktree could be made. Commit something, or start without isolate",
		ZH: "%s 的 git 仓库还没有可用于创建工作树的提交。请先提交，或不使用 isolate 启动",
	}
	textUnusable = i18n.Text{EN: "git cannot use %s: %s", ZH: "git 无法使用 %s：%s"}
	textGone     = i18n.Text{
		EN: "your worktree %s is not there any more. Tell the user: only they can bring it back",
		ZH: "你的工作树 %s 已不存在。请告诉用户：只有用户能恢复它",
	}
	textTooMuch = i18n.Text{
		EN: ".worktreeinclude names more than %d files or %d MiB. Name fewer there",
		ZH: ".worktreeinclude 包含超过 %d 个文件或 %d MiB。请减少其中的内容",
	}
	textNotCopied = i18n.Text{EN: "copy %s, which .worktreeinclude names: %s", ZH: "复制 .worktreeinclude 中的 %s：%s"}
	textTooLarge  = i18n.Text{EN: "the patch is larger than %d MiB. Merge with git instead", ZH: "补丁超过 %d MiB。请改用 git 合并"}
)
