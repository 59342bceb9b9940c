package shell

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

func (s *Shell) bashSpec(lang protocol.Lang) tool.Spec {
	w := words{lang}
	return tool.Spec{
		Name: Bash, Group: Group, Class: tool.ClassRun,
		Purpose: i18n.Text{
			EN: "Run a command with %s in your workspace. There is no input and no terminal: programs that ask or page must be told not to. No startup file is read, and HOME is a folder of its own. The result has the exit code (of a pipe that of its last program), the time and what was written. Use read, grep, edit and write for files; use this to build, to test and for git. The user may be asked first, so give why where it is not plain.",
			ZH: "用 %s 在你的工作区中运行命令。没有输入也没有终端：会提问或分页的程序必须用参数关闭这些行为。不读取任何启动文件，HOME 是单独的文件夹。结果包含退出码（管道取最后一个程序的）、用时和输出。文件请用 read、grep、edit 和 write；本工具用于构建、测试和 git。可能会先询问用户，因此理由不明显时请给出 why。",
		}.With(s.name).In(lang),
		Parameters: []tool.Property{
			tool.Must("command", tool.Text(w.say("What to run. Each call starts anew: a cd or a variable does not outlive it.", "要运行的命令。每次调用都重新开始：cd 或变量不会保留到下一次。"))).Or("cmd", "script", "code", "shell_command"),
			tool.May("timeout", tool.Whole(w.say("Seconds after which it is ended, 1 to 600. Default: 120, and 600 for go and cargo builds and tests.", "多少秒后结束它，1 到 600，默认 120；go 和 cargo 的构建与测试默认 600。"))).Or("timeout_seconds"),
			tool.May("workdir", tool.Text(w.say("The folder of the workspace to run it in. Default: the workspace.", "在工作区的哪个文件夹中运行，默认为工作区本身。"))).Or("cwd", "dir", "directory", "working_directory", "path"),
			tool.May("background", tool.YesNo(w.say("Start it and go on at once, for a server for example. At most 4 at a time, each for an hour. Default: false.", "启动后立即继续，例如用于服务器。最多同时 4 个，每个一小时。默认为 false。"))).Or("run_in_background"),
			tool.May("outside", tool.YesNo(w.say("Run it outside the sandbox, with the network and all files of the user. The user is asked. Only after blocked_by_sandbox. Default: false.", "在沙箱外运行，可使用网络和用户的所有文件。会询问用户。仅在出现 blocked_by_sandbox 之后使用。默认为 false。"))),
			tool.May("why", tool.Text(w.say("Why you need it, in a sentence to the user.", "为什么需要它，给用户的一句话。"))).Or("reason", "description", "justification"),
		},
	}
}

func outputSpec(lang protocol.Lang) tool.Spec {
	w := words{lang}
	return tool.Spec{
		Name: BashOutput, Group: Group, Class: tool.ClassRead,
		Purpose: w.say(
			"Read what a background command of yours has written since you read it last, and whether it still runs.",
			"读取你的后台命令自上次读取以来的输出，以及它是否仍在运行。",
		),
		Parameters: []tool.Property{
			processID(w),
			tool.May("wait", tool.Whole(w.say("Seconds to wait for its end or for something new, 0 to 60. Default: 0.", "等待其结束或出现新输出的秒数，0 到 60，默认 0。"))).Or("timeout"),
		},
	}
}

func killSpec(lang protocol.Lang) tool.Spec {
	w := words{lang}
	return tool.Spec{
		Name: BashKill, Group: Group, Class: tool.ClassOwn,
		Purpose:    w.say("End a background command of yours, with all that it has started, and read the rest of what it wrote.", "结束你的后台命令以及它启动的一切，并读取其余输出。"),
		Parameters: []tool.Property{processID(w)},
	}
}

func processID(w words) tool.Property {
	return tool.Must("id", tool.Text(w.say("What bash answered when the command was started, for example bg1.", "启动命令时 bash 返回的编号，例如 bg1。"))).Or("bash_id", "shell_id", "process_id", "pid")
}
