// Package cli is the command line: it parses the arguments, runs the commands
// that need no screen, and opens the one that does.
//
// [Run] is the entry point. For the screen it makes models, limits, graphs,
// templates, the log and the store of a society from the settings. A [Frontend]
// then shows one open [Session] after the other, on the screen or in plain
// mode, and reports how the last one ended.
//
// Exit codes: 0, 1 for a failure, 2 for a mistake in the call or the settings; those of
// requests are in answer.go.
package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui/process"
)

// A commandLine is the syntax of the arguments.
type commandLine struct {
	Data      *string          `values:"folders" placeholder:"DIR" help:"Keep the sessions in this folder." zh:"会话保存在此文件夹。"`
	Session   *string          `values:"sessions" placeholder:"NAME" help:"Open this session (default society). Each is a society of its own, in its own file." zh:"打开此会话（默认 society）。每个会话是一个独立的团队，各有自己的文件。"`
	File      *string          `name:"config" values:"files" placeholder:"FILE" help:"Read the settings from this file." zh:"从此文件读取设置。"`
	Workspace *string          `values:"folders" placeholder:"DIR" help:"Let agents with file tools work in this folder." zh:"让有文件工具的智能体在此文件夹中工作。"`
	Isolate   bool             `help:"Give each agent but root a git worktree and branch of its own. Needs --workspace in a git repository." zh:"让除 root 外的每个智能体使用自己的 git 工作树和分支。需要 --workspace 指向 git 仓库中的文件夹。"`
	Demo      bool             `help:"Use the built-in offline model, whatever else is set." zh:"使用内置的离线模型，无论其他设置如何。"`
	Model     *string          `values:"models" placeholder:"NAME" help:"Use this model: one of the [[models]] in the settings, or its name at the endpoint." zh:"使用此模型：设置中 [[models]] 的一个，或它在端点上的名称。"`
	Theme     *string          `values:"themes" placeholder:"NAME" help:"Use these colours: auto, ${themes}, or your own from ${themeFolder}." zh:"使用这套颜色：auto、${themes}，或 ${themeFolder} 中你自己的主题。"`
	Lang      *string          `values:"languages" placeholder:"LANG" help:"Language: auto, en (English) or zh-CN (中文)." zh:"语言：auto、en（English）或 zh-CN（中文）。"`
	ASCII     bool             `name:"ascii" help:"Draw with ASCII characters only." zh:"只用 ASCII 字符绘制。"`
	Plain     bool             `help:"Plain lines instead of a screen, for screen readers and simple terminals." zh:"用逐行文字代替全屏界面，适合读屏软件和简单终端。"`
	Paused    bool             `help:"Start with all agents paused." zh:"启动时暂停所有智能体。"`
	Template  *string          `values:"templates" placeholder:"NAME|FILE" help:"Add the team of this template under root, once per session: ${templates}, your own from ${folder}, or a file." zh:"在 root 下添加此模板的团队，每个会话一次：${templates}，${folder} 中你自己的模板，或一个文件。"`
	Mode      *string          `values:"modes" placeholder:"MODE" help:"Let agents do this without asking, from now on in this session: read-only, ask, edits or all." zh:"从现在起，此会话中智能体无需询问即可：read-only、ask、edits 或 all。"`
	Allow     []string         `sep:"none" placeholder:"RULE" help:"Allow calls of a tool without asking, in this run: its name and a pattern of paths, as in 'write docs/**'. May be repeated." zh:"本次运行中无需询问即允许某工具的调用：工具名和路径模式，如 'write docs/**'。可重复。"`
	HTTP      *string          `name:"http" placeholder:"ADDR|off" help:"Let programs of yours in at this address of this machine, or this port (default 127.0.0.1:3000)." zh:"让你的程序通过本机的这个地址或端口访问（默认 127.0.0.1:3000）。"`
	NoAttach  bool             `help:"Refuse to start, rather than attach, if the session is open elsewhere." zh:"会话已在别处打开时拒绝启动，而不是连接过去。"`
	Version   kong.VersionFlag `help:"Print the version." zh:"显示版本。"`

	Screen    screenCommand     `cmd:"" default:"1" help:"Open the screen. This is the default." zh:"打开界面。这是默认命令。"`
	Serve     serveCommand      `cmd:"" help:"Open the session without a screen, for other programs, until a signal or quit." zh:"不打开界面，供其他程序使用此会话，直到收到信号或 quit。"`
	Attach    attachCommand     `cmd:"" help:"Open the screen of a session that another program runs, here or on another machine. Closing it leaves the session alone." zh:"打开由另一个程序（本机或另一台机器上）运行的会话的界面。关闭它不影响会话。"`
	Proxy     proxyCommand      `cmd:"" hidden:"" help:"Connect standard input and output with the session, for attach ssh://." zh:"将标准输入输出连接到会话，供 attach ssh:// 使用。"`
	Ask       askCommand        `cmd:"" help:"Send root a request, or the answer to what it asks, wait, and print the answer. Exit code 3 if an agent asks you." zh:"向 root 发送请求或对其提问的回答，等待并输出答复。有智能体向你提问时退出码为 3。"`
	Send      sendCommand       `cmd:"" help:"Send a message to an agent of a running session." zh:"向运行中会话的智能体发送消息。"`
	Agents    agentsCommand     `cmd:"" help:"List the agents of a running session." zh:"列出运行中会话的智能体。"`
	Tasks     tasksCommand      `cmd:"" help:"List the tasks of a running session." zh:"列出运行中会话的任务。"`
	Messages  messagesCommand   `cmd:"" help:"Print the messages to you in a task." zh:"输出一个任务中给你的消息。"`
	Servers   serversCommand    `cmd:"" name:"mcp" help:"List the MCP servers of a running session, or start, stop or restart one." zh:"列出运行中会话的 MCP 服务器，或启动、停止、重启其中一个。"`
	Events    eventsCommand     `cmd:"" help:"Print what happens in a running session, as lines of JSON." zh:"以 JSON 行输出运行中会话里发生的事件。"`
	Interrupt interruptCommand  `cmd:"" help:"Abort an agent's call in flight, and ask it something else." zh:"中断智能体进行中的调用，并向它提出别的内容。"`
	Stop      stopCommand       `cmd:"" help:"Stop agents and all below them." zh:"停止智能体及其下级。"`
	Pause     pauseCommand      `cmd:"" help:"Pause agents after their current step." zh:"在当前步骤后暂停智能体。"`
	Resume    resumeCommand     `cmd:"" help:"Resume agents and all below them." zh:"恢复智能体及其下级。"`
	Terminate terminateCommand  `cmd:"" help:"Terminate agents and all below them, and erase what was theirs." zh:"终止智能体及其下级，并清除其数据。"`
	Quit      quitCommand       `cmd:"" help:"End the program that has the session open." zh:"结束打开此会话的程序。"`
	Token     tokenCommand      `cmd:"" help:"Print the token with which programs reach the session over HTTP." zh:"输出程序通过 HTTP 访问此会话所用的令牌。"`
	Check     checkCommand      `cmd:"" help:"Check the stored data for damage. Exit code 0 if it is sound, 1 if not." zh:"检查存储的数据是否损坏。完好时退出码为 0，否则为 1。"`
	Backup    backupCommand     `cmd:"" help:"Write a checked copy of the session to a new file." zh:"把会话的一份经过检查的副本写入新文件。"`
	Export    exportCommand     `cmd:"" help:"Export the session as JSON, which can be imported again, or as Markdown, for reading." zh:"将会话导出为可再导入的 JSON，或供阅读的 Markdown。"`
	Import    importCommand     `cmd:"" help:"Import an export, a backup, or what is left of a damaged file into an empty session." zh:"将导出文件、备份，或损坏文件中仍可读取的内容导入空会话。"`
	Compact   compactCommand    `cmd:"" help:"Free the disk space of deleted data." zh:"释放已删除数据占用的磁盘空间。"`
	Settings  settingsCommands  `cmd:"" name:"config" help:"Print the settings in effect and where each comes from; 'config init' writes a commented file." zh:"显示当前设置及其来源；config init 写出带注释的设置文件。"`
	Models    modelsCommand     `cmd:"" help:"List the models and test whether each answers. Exit code 1 if the default does not." zh:"列出模型并测试各自能否应答。默认模型没有应答时退出码为 1。"`
	Templates templatesCommand  `cmd:"" help:"List the team templates, or print one to start your own from." zh:"列出团队模板，或显示其中一个作为你自己模板的起点。"`
	DemoModel demoModelCommand  `cmd:"" name:"demo-model" help:"Serve the offline model to other programs until ctrl+c." zh:"向其他程序提供离线模型，直到 ctrl+c。"`
	Complete  completionCommand `cmd:"" name:"completion" help:"Print the completions for a shell." zh:"输出 shell 的命令补全脚本。"`
	Words     wordsCommand      `cmd:"" name:"complete-words" hidden:"" help:"Print how a command line may go on, for the scripts of completion." zh:"输出命令行可能的后续内容，供补全脚本使用。"`
	Manual    manualCommand     `cmd:"" name:"man" help:"Print the manual page." zh:"输出手册页（man page）。"`
	VersionOf versionCommand    `cmd:"" name:"version" help:"Print the version." zh:"显示版本。"`
	Reset     resetCommand      `cmd:"" help:"Repair a terminal that a crash left unusable." zh:"修复因崩溃而无法使用的终端。"`
	Reference helpCommand       `cmd:"" name:"help" help:"Print a help topic, or list all topics." zh:"显示一个帮助主题，或列出全部主题。"`
}

// A usageError is a mistake in the call or the settings: exit code 2.
type usageError struct {
	error
	hint string // how to do it right
}

// Unwrap returns the cause.
func (e usageError) Unwrap() error { return e.error }

// Run runs a command line for the user at in, out and errOut, and returns the
// exit code.
func Run(args []string, in, out, errOut *os.File) (code int) {
	var line commandLine
	c := newConsole(in, out, errOut, &line)
	defer func() {
		if r := recover(); r != nil {
			c.say(errOut, "society-tui: a fault of the program: %v\n%s", r, debug.Stack())
			code = 1
		}
	}()
	vars := helpVars()
	parser := kong.Must(&line, kong.Name("society-tui"), vars, kong.Help(func(options kong.HelpOptions, ctx *kong.Context) error {
		c.findLanguage(args)
		u := usage{console: c, vars: vars}
		return u.print(options, ctx)
	}))
	process.OutliveReader()
	command, err := parser.Parse(args)
	if err != nil {
		err = c.misuse(args, err)
	} else {
		c.selected = command.Selected()
		err = command.Run(c)
	}
	usage, wrong := errors.AsType[usageError](err)
	exit, said := errors.AsType[exitError](err)
	switch {
	case err == nil:
		return 0
	case said:
		return int(exit)
	case readerLeft(err, out):
		return 1
	case wrong:
		c.say(errOut, "society-tui: %s\n%s\n", c.inWords(usage.error), usage.hint)
		return 2
	default:
		c.say(errOut, "society-tui: %s\n", c.inWords(err))
		return 1
	}
}

// helpVars are the values of the variables in the help of commands and flags.
func helpVars() kong.Vars {
	places := config.UserPlaces()
	return kong.Vars{
		"version": logfile.Version(), "themes": strings.Join(themes.Names(), ", "), "themeFolder": fromHome(places.Themes),
		"words": strings.Join(stateWords(protocol.English), ", "), "codes": strings.Join(stateCodes(), ", "),
		"templates": strings.Join(template.Names(), ", "), "folder": fromHome(places.Templates),
	}
}

// fromHome shortens a path in the user's home folder.
func fromHome(path string) string {
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		if below, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok {
			return filepath.Join("~", below)
		}
	}
	return path
}

// readerLeft reports whether err means that the reader of the output has closed
// it, which is no error to report.
func readerLeft(err error, out *os.File) bool {
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && write.Path == out.Name() && errors.Is(write.Err, syscall.EPIPE)
}
