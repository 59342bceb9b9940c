// Package config holds the settings of the program: where they come from, what they may be,
// and their defaults.
//
// A setting comes from the first of these that names it: a flag, the environment, the
// settings file, the default. [Load] reads them once, at the start, and reports every
// mistake with its place; they do not change afterwards. [Edit] changes the file, for the
// next start.
//
// To add a setting, add a field with its tags to [Settings] and a default to [Defaults]:
// the file of "config init", the table of "config" and the checks are made from the tags.
package config

import (
	"errors"
	"strings"
	"time"

	"society-tui/runtime/protocol"

	"society-tui/runtime/apikey"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/runtime/suggest"
)

// Settings are all settings of one run, read and checked by Load.
//
// The tags are the whole description of a setting: toml names it in the file,
// about and zh are its comment there, min and max bound it (numbers, and durations as
// text), oneof lists what it may be, or what may be in it, empty permits it to be empty too.
type Settings struct {
	Session       string `toml:"session" about:"The session to open. Each is a society of its own, in its own file. Environment: SOCIETY_SESSION." zh:"要打开的会话。每个会话是一个独立的团队，各有自己的文件。环境变量：SOCIETY_SESSION。"`
	Lang          string `toml:"lang" about:"Language of the screen and the agents; zh-CN is 中文, auto follows the locale." zh:"界面和智能体使用的语言：en 为 English，zh-CN 为中文，auto 随系统区域设置。" oneof:"auto en zh-CN"`
	Theme         string `toml:"theme" about:"Colours at every start. auto fits the terminal. If not set: the theme you chose last." zh:"每次启动时的颜色。auto：随终端而定。未设置时：你上次选用的主题。"`
	ASCII         bool   `toml:"ascii" about:"Draw with ASCII characters only." zh:"只用 ASCII 字符绘制。"`
	Plain         bool   `toml:"plain" about:"Plain lines instead of a screen, for screen readers and simple terminals." zh:"用逐行文字代替全屏界面，适合读屏软件和简单终端。"`
	ReducedMotion bool   `toml:"reduced_motion" about:"Turn off animations." zh:"关闭动画。"`
	Notify        string `toml:"notify" about:"When the terminal notifies you that agents need you, have failed or are all idle. away: only while its window is not focused." zh:"智能体需要你、失败或全部空闲时，终端何时通知你。away：仅当窗口没有焦点时。" oneof:"away always off"`
	NotifyBy      string `toml:"notify_by" about:"How the terminal notifies you. auto: the best way it supports, or else the bell." zh:"终端如何通知你。auto：用它支持的最好方式，否则响铃。" oneof:"auto bell osc9 osc777 osc99"`
	HTTP          string `toml:"http" about:"Where programs of yours reach the society over HTTP: an address of this machine, a port alone, or off. The socket beside the data stays. Environment: SOCIETY_HTTP." zh:"你的程序通过 HTTP 访问团队的地址：本机的一个地址、单独的端口，或 off。数据旁的套接字仍保留。环境变量：SOCIETY_HTTP。"`
	Currency      string `toml:"currency" about:"Sign of the currency of all prices, shown before amounts. Empty: none. With another than $, prices of endpoints and of the built-in list do not count: they are in dollars." zh:"所有价格的货币符号，显示在金额前。留空：不显示。若不是 $，端点和内置列表的价格不计入，因为它们以美元计。"`
	Workspace     string `toml:"workspace" about:"The folder in which agents work on files, for example a project. Empty: each task has a folder of its own beside the session." zh:"智能体处理文件所用的文件夹，例如一个项目。留空：每个任务在会话旁有自己的文件夹。"`
	Isolate       string `toml:"isolate" about:"agent: each agent but root works in a git worktree of its own, on a branch of its own, so that they do not change the same files. The workspace must be in a git repository with a commit. Empty: all agents work in the workspace." zh:"agent：除 root 外，每个智能体在自己的 git 工作树和分支中工作，不会更改相同的文件。工作区必须在至少有一个提交的 git 仓库中。留空：所有智能体都在工作区中工作。" oneof:"agent" empty:"off"`
	Mode          string `toml:"mode" about:"What agents may do without asking you, in a session for which you chose no mode: read-only: nothing changes. ask: each change is asked for. edits: files of the workspace change freely. all: all but protected files and commands outside the sandbox. auto: what you answered for the workspace, ask until then, and edits without one." zh:"在你没有选择模式的会话中，智能体无需询问即可做什么。read-only：不做任何更改。ask：每次更改都询问。edits：可自由修改工作区的文件。all：除受保护的文件和沙箱外的命令外都可以。auto：你为工作区所选的，未选时为 ask；没有工作区时为 edits。" oneof:"auto read-only ask edits all"`
	OnHangup      string `toml:"on_hangup" about:"When the terminal is closed or the connection to it is lost. leave: end the program in order. background: only the screen ends; society-tui attach comes back." zh:"终端关闭或与它的连接断开时。leave：有序结束程序。background：只结束界面，用 society-tui attach 回来。" oneof:"leave background"`
	LogLevel      string `toml:"log_level" about:"Log level. wire adds to debug the request and response of each failed model call. Only wire logs parts of conversations." zh:"日志级别。wire 在 debug 之外还记录每次失败的模型调用的请求和响应。只有 wire 会记录对话内容。" oneof:"debug info warn error wire"`

	Prompts Prompts `toml:"prompts" about:"Instructions for all agents." zh:"给所有智能体的指示。"`
	Model   Model   `toml:"model" about:"The model that agents use." zh:"智能体使用的模型。"`
	Tools   Tools   `toml:"tools" about:"What agents can be given to work with." zh:"可以给予智能体的工具。"`
	Shell   Shell   `toml:"shell" about:"How agents run commands." zh:"智能体如何运行命令。"`
	Limits  Limits  `toml:"limits" about:"Limits that stop runaway work." zh:"防止工作失控的上限。"`
	// Models are further models that roles can name, as the file has them, with their
	// keys; Endpoints puts them in order.
	Models []Endpoint `toml:"models"`
	// Rules are exceptions from the mode, as the file has them; ApprovalRules has those of
	// flags too.
	Rules []Rule `toml:"rules"`
	// Servers are the MCP servers, as the file has them, with their tokens.
	Servers []Server `toml:"mcp"`
	// Keymap are the keys that the user changed, as the file has them; ChangedKeys
	// are those that can be used.
	Keymap map[string]any `toml:"keys"`
	// Graphs are the graphs that roles can name, besides the built-in ones.
	Graphs []graph.Definition `toml:"graphs"`

	// Data is the folder of the store, Templates and Themes those of the user's own
	// templates and themes, File the settings file that was asked
	// for (it may not exist), Logs the folder of the log. All are absolute.
	Data string `toml:"-"`
	File string `toml:"-"`
	Logs string `toml:"-"`

	Templates string `toml:"-"`
	Themes    string `toml:"-"`
	// Warnings are mistakes that do not prevent the start, a sentence each.
	Warnings []*i18n.Message `toml:"-"`
	// Recalled is set if Workspace is the folder that the session remembers.
	Recalled bool `toml:"-"`

	locale  string        // the language that auto stands for
	source  apikey.Source // of the key of the [model] table; zero for one that is known
	rebound map[string][]string
	allowed []string // rules of flags
	// serverKeys are values of variables of MCP servers that look like keys.
	serverKeys []string
	unread     []string          // what of the file could not be read, by its path
	origin     map[string]Origin // by the key of the setting
	// own is the workspace of the flags, the environment and the file.
	own string
	// modeBeforeFlag is the mode of the file and the default, and where it comes from.
	modeBeforeFlag       string
	modeOriginBeforeFlag Origin
}

// Background is the value of OnHangup with which the society outlives its terminal.
const Background = "background"

// AutoMode is the value of Mode that follows from the workspace.
const AutoMode = "auto"

// Prompts are added to the system prompt of all agents.
type Prompts struct {
	Addition string `toml:"addition" about:"Your rules, added to the system prompt of every agent from its next request on. Put several lines in three quotes." zh:"你的规则，从下一次请求起加入每个智能体的系统提示词。多行请用三个引号。" lines:"true"`
}

// Model is the endpoint that answers. See Settings.Offline for missing parts.
type Model struct {
	Name    string `toml:"name" about:"Name of the model at its endpoint, or of one of the [[models]]. Environment: SOCIETY_MODEL." zh:"模型在端点上的名称，或 [[models]] 中的一个名称。环境变量：SOCIETY_MODEL。"`
	BaseURL string `toml:"base_url" about:"Address of any OpenAI-compatible API, for example http://127.0.0.1:11434/v1. Empty: OpenAI's own. Environment: OPENAI_BASE_URL." zh:"任何兼容 OpenAI 的 API 地址，例如 http://127.0.0.1:11434/v1。留空：OpenAI 自己的。环境变量：OPENAI_BASE_URL。"`
	KeyEnv  string `toml:"key_env" about:"Environment variable that contains the key." zh:"存放密钥的环境变量。"`
	Key     Secret `toml:"key" about:"The key itself. Prefer an environment variable; if you write the key here, run chmod 600 on this file." zh:"密钥本身。建议改用环境变量；若写在这里，请对此文件运行 chmod 600。"`

	ModelSettings

	IdleTimeout Duration `toml:"idle_timeout" about:"Time without new output after which an answer of any model counts as stalled. 0s: wait forever." zh:"任何模型的回答多久没有新内容即视为停滞。0s：一直等待。" min:"0s" max:"24h"`
	Offline     bool     `toml:"offline" about:"Use the built-in offline model, unless SOCIETY_MODEL or --model names another. It refuses requests larger than context_window." zh:"使用内置的离线模型，除非 SOCIETY_MODEL 或 --model 指定了其他模型。它拒绝大于 context_window 的请求。"`
	OfflinePace Duration `toml:"offline_pace" about:"Time the offline model takes for a word. 0s: no delay." zh:"离线模型输出一个词的时间。0s：不延迟。" min:"0s" max:"2s"`
}

// Tools are the tools that roles can be given, beside those of the organisation.
type Tools struct {
	Groups []string `toml:"groups" about:"Groups of tools that a role can be given. A role has only those that whoever makes it names." zh:"角色可以获得的工具组。角色只拥有创建者指明的那些。" oneof:"files artifacts todo shell web"`
}

// Shell is what commands of agents get beside what all commands have.
type Shell struct {
	AlsoRead      []string `toml:"also_read" about:"Folders that commands in the sandbox may read beside the system and the workspace. auto: what is found of Go and its modules, ~/.cargo/bin, ~/.cargo/registry, ~/.rustup/toolchains, ~/.nvm/versions and ~/.local/bin. Name none with passwords or keys." zh:"沙箱中的命令除系统和工作区外还可读取的文件夹。auto：找到的 Go 及其模块、~/.cargo/bin、~/.cargo/registry、~/.rustup/toolchains、~/.nvm/versions 和 ~/.local/bin。不要写入含有密码或密钥的文件夹。"`
	Env           []string `toml:"env" about:"Names of environment variables that commands get. They get no others of yours but LANG." zh:"命令可获得的环境变量名称。除 LANG 外，命令得不到你的其他变量。"`
	FreeInSandbox bool     `toml:"free_in_sandbox" about:"In the mode edits, run commands without asking where the sandbox holds whole." zh:"在 edits 模式下，沙箱完整有效时运行命令无需询问。"`
}

// Limits are the caps of the society. Each one is shown when it is reached.
type Limits struct {
	Agents             int      `toml:"agents" about:"Maximum live agents." zh:"同时存在的智能体上限。" min:"1" max:"10000"`
	Depth              int      `toml:"depth" about:"Maximum levels below root." zh:"root 之下的层数上限。" min:"1" max:"50"`
	Children           int      `toml:"children" about:"Maximum children of one agent." zh:"一个智能体的直接下级上限。" min:"1" max:"1000"`
	SpawnsPerMinute    int      `toml:"spawns_per_minute" about:"Maximum new agents per minute." zh:"每分钟新建智能体的上限。" min:"1" max:"10000"`
	ToolRounds         int      `toml:"tool_rounds" about:"Maximum answers with tool calls in one turn." zh:"一轮中带工具调用的回答上限。" min:"1" max:"1000"`
	RepeatsWarned      int      `toml:"repeats_warned" about:"Warn an agent that makes this many identical calls in one turn." zh:"一轮中相同的调用达到这个次数时警告智能体。" min:"2" max:"100"`
	RepeatsEnded       int      `toml:"repeats_ended" about:"End a turn with this many identical calls." zh:"一轮中相同的调用达到这个次数时结束该轮。" min:"2" max:"100"`
	TaskMessages       int      `toml:"task_messages" about:"Maximum messages between agents in one task without a message from you." zh:"一个任务中，没有你的消息时智能体之间的消息上限。" min:"1" max:"100000"`
	ModelCalls         int      `toml:"model_calls" about:"Maximum model calls at the same time, for each endpoint and key." zh:"每个端点的每个密钥同时进行的模型调用上限。" min:"1" max:"1000"`
	Queue              int      `toml:"queue" about:"Maximum unread messages of one agent." zh:"一个智能体的未读消息上限。" min:"1" max:"100000"`
	MaxContextMessages int      `toml:"max_context_messages" about:"Tell an agent to compress its context when it has more entries than this." zh:"上下文超过这个条数时，要求智能体压缩。" min:"2" max:"10000"`
	KeepRecent         int      `toml:"keep_recent" about:"Newest entries that a compression keeps." zh:"压缩时保留的最新条数。" min:"0" max:"9999"`
	DrainTime          Duration `toml:"drain_time" about:"Time for an agent that its parent terminates to finish its unread messages." zh:"上级终止智能体时，留给它处理未读消息的时间。" min:"1s" max:"10m"`
	DrainMessages      int      `toml:"drain_messages" about:"Maximum messages that it finishes then." zh:"此时最多处理的消息数。" min:"0" max:"10000"`
	ApprovalWait       Duration `toml:"approval_wait" about:"Time after which a call that waits for your yes is denied. 0s: it waits for you." zh:"等待你同意的调用在多久后被拒绝。0s：一直等你。" min:"0s" max:"720h"`
	TaskCost           float64  `toml:"task_cost" about:"Budget of one task, in the currency of the prices. At 80 % you are warned; then its agents wait for you. 0: no limit." zh:"预算：一个任务的费用上限，以价格的货币计。到 80% 时提醒你，用完后其智能体等待你。0：不限。" min:"0" max:"1000000000"`
	TaskTokens         int      `toml:"task_tokens" about:"Budget of one task in tokens, likewise. 0: no limit." zh:"预算：一个任务最多使用的词元数，同上。0：不限。" min:"0" max:"1000000000000"`
	DayCost            float64  `toml:"day_cost" about:"Budget of the session for one day, likewise. 0: no limit." zh:"预算：会话一天的费用上限，同上。0：不限。" min:"0" max:"1000000000"`
	DayTokens          int      `toml:"day_tokens" about:"Budget of the session for one day in tokens, likewise. 0: no limit." zh:"预算：会话一天最多使用的词元数，同上。0：不限。" min:"0" max:"1000000000000"`
	IdleWarning        Duration `toml:"idle_warning" about:"Log a warning when an agent is idle for this long. 0s: never." zh:"智能体空闲这么久时在日志中警告。0s：从不。" min:"0s" max:"720h"`
}

// openAIKey is the environment variable in which most programs look for a key.
const openAIKey = "OPENAI_API_KEY"

// Defaults returns the settings when nothing is set. The places are empty: they depend on
// the machine.
func Defaults() Settings {
	return Settings{
		Session: session.Default, Lang: "auto", Theme: "auto", Notify: "away", NotifyBy: "auto", HTTP: "127.0.0.1:3000", Currency: "$", Mode: AutoMode, OnHangup: "leave", LogLevel: "info",
		Model: Model{
			KeyEnv:      openAIKey,
			IdleTimeout: Duration{5 * time.Minute},
			OfflinePace: Duration{33 * time.Millisecond},

			ModelSettings: ModelSettings{KeyFrom: "", Fallback: []string{}, Capabilities: []string{}, Price: ""},
		},
		Tools: Tools{Groups: []string{"files", "artifacts", "todo", "shell", "web"}},
		Shell: Shell{AlsoRead: []string{"auto"}, Env: []string{}},
		Limits: Limits{
			Agents: 200, Depth: 6, Children: 20, SpawnsPerMinute: 30,
			ToolRounds: 30, RepeatsWarned: 3, RepeatsEnded: 5,
			TaskMessages: 200, ModelCalls: 8, Queue: 1000,
			MaxContextMessages: 50, KeepRecent: 10,
			DrainTime: Duration{30 * time.Second}, DrainMessages: 100,
			IdleWarning: Duration{5 * time.Minute},
		},
	}
}

// Language returns Lang with auto resolved: "en" or "zh-CN".
func (s *Settings) Language() string {
	switch {
	case s.Lang == string(protocol.English), s.Lang == string(protocol.Chinese):
		return s.Lang
	case strings.EqualFold(s.Lang, "zh"):
		return string(protocol.Chinese)
	}
	return s.locale // also beside a language that there is not, in which nothing can be said
}

// ChosenTheme returns the theme that was asked for; empty if none was, so that the screen
// takes the one it had last.
func (s *Settings) ChosenTheme() string {
	if s.origin["theme"] == (Origin{}) {
		return ""
	}
	return s.Theme
}

// Offline reports whether the built-in model answers: because it was asked for, or because
// nothing of another model is set. A key or an address without the name of a model, and a
// name without either, are errors that tell what to set; if there are [[models]], one of
// them is meant.
func (s *Settings) Offline() (bool, error) {
	m := &s.Model
	keyless := m.Key.Reveal() == "" && s.source.IsZero()
	_, named := s.entry(m.Name)
	some := len(s.sound()) > 0
	switch {
	case m.Offline, !some && (m.Name == "" || s.isWrong(m.Name)) && m.BaseURL == "" && keyless:
		return true, nil
	case named, some && (m.Name == "" || s.isWrong(m.Name)):
		return false, nil
	case m.Name == "":
		given := "model.base_url"
		if m.BaseURL == "" {
			given = "model.key"
		}
		return false, &Problem{
			From: s.origin[given], Key: given, Why: textNoModel.With(),
		}
	case m.BaseURL == "" && keyless:
		return false, &Problem{From: s.origin["model.name"], Key: "model.name", Why: s.noEndpoint()}
	}
	return false, nil
}

// WithoutModel returns why no model is chosen although a key or an address is set; nil
// otherwise.
func (s *Settings) WithoutModel() *Problem {
	_, err := s.Offline()
	if p, ok := errors.AsType[*Problem](err); ok && p.Key != "model.name" {
		return p
	}
	return nil
}

// noEndpoint explains that the model has no endpoint, and that it is none of the [[models]].
func (s *Settings) noEndpoint() error {
	why := textNoEndpoint.With(s.Model.KeyEnv)
	sound := s.sound()
	if len(sound) == 0 {
		return why
	}
	names := make([]string, len(sound))
	for i, m := range sound {
		names[i] = m.Name
	}
	return meant(textModelsAre.With(why, i18n.List(names)), suggest.Nearest(s.Model.Name, names))
}
