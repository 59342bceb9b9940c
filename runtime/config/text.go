package config

import "society-tui/runtime/i18n"

// Where settings come from.
var (
	textDefault     = i18n.Text{EN: "default", ZH: "默认"}
	textFlag        = i18n.Text{EN: "flag %s", ZH: "选项 %s"}
	textEnvironment = i18n.Text{EN: "environment %s", ZH: "环境变量 %s"}
	textInFile      = i18n.Text{EN: "%s:%d", ZH: "%s:%d"}
	// textWrong has the place or the setting, and what is wrong there.
	textWrong = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
)

// What is wrong with settings.
var (
	textNoPrice        = i18n.Text{EN: "must be a table, as in { input = 2.5, output = 10 }, or \"included\"", ZH: "必须是表，如 { input = 2.5, output = 10 }，或 \"included\""}
	textPriceColumn    = i18n.Text{EN: "unknown part %s of a price; there are %s", ZH: "价格没有 %s 这一项，只有 %s"}
	textPriceRange     = i18n.Text{EN: "%s must be a number from 0 to %d", ZH: "%s 必须是 0 到 %d 之间的数"}
	textHalfPrice      = i18n.Text{EN: "needs both input and output", ZH: "必须同时有 input 和 output"}
	textOfValue        = i18n.Text{EN: "%s is not known: %v", ZH: "无法得知 %s：%v"}
	textUnreadable     = i18n.Text{EN: "cannot read the settings: %s", ZH: "无法读取设置：%s"}
	textUnwritable     = i18n.Text{EN: "cannot write the settings: %s", ZH: "无法写入设置：%s"}
	textUnwritten      = i18n.Text{EN: "%s was left as it is: %s", ZH: "%s 未改动：%s"}
	textNoFolder       = i18n.Text{EN: "cannot create the folder of the settings: %s", ZH: "无法创建设置所在的文件夹：%s"}
	textNoWorkspace    = i18n.Text{EN: "there is no folder %s: make it, or name another", ZH: "没有文件夹 %s：请创建它，或另选一个"}
	textForgotten      = i18n.Text{EN: "The session had a folder that cannot be used now: %s. --workspace PATH names another.", ZH: "此会话原来的文件夹现在无法使用：%s。可用 --workspace PATH 另行指定。"}
	textIsolateNothing = i18n.Text{EN: "there is no workspace to make worktrees of: name a folder of a git repository with --workspace", ZH: "没有可用来创建工作树的工作区：请用 --workspace 指定一个 git 仓库的文件夹"}
	textNotAbsolute    = i18n.Text{EN: "%q is no whole path: begin it with / or ~/", ZH: "%q 不是完整路径：请以 / 或 ~/ 开头"}
	textReadsOwn       = i18n.Text{EN: "%s holds %s, which commands must not read: name folders in it", ZH: "%s 含有 %s，命令不得读取：请指定其中的文件夹"}
	textNoReadFolder   = i18n.Text{EN: "shell.also_read: %s is no folder; commands cannot read it.", ZH: "shell.also_read：%s 不是文件夹，命令无法读取。"}
	textBadVariable    = i18n.Text{EN: "%q cannot be the name of an environment variable", ZH: "%q 不能作为环境变量的名称"}
	textKeyVariable    = i18n.Text{EN: "%s is the key of a model, which commands must not get", ZH: "%s 是模型的密钥，不得交给命令"}
	textHoldsOwn       = i18n.Text{EN: "%s holds %s, which agents must not change: name a folder further down", ZH: "%s 中含有 %s，不能让智能体更改：请选择更下级的文件夹"}
	textNoPath         = i18n.Text{EN: "%q is not a path", ZH: "%q 不是路径"}
	textNoHome         = i18n.Text{EN: "no home folder: set HOME, or XDG_DATA_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME", ZH: "没有主目录：请设置 HOME，或 XDG_DATA_HOME、XDG_CONFIG_HOME 和 XDG_STATE_HOME"}
	textUnknown        = i18n.Text{EN: "unknown setting", ZH: "没有这项设置"}
	textMeant          = i18n.Text{EN: "%s; did you mean %s?", ZH: "%s；是否指 %s？"}
	textTwoBrackets    = i18n.Text{EN: "use two brackets, [[%s]], for each %s", ZH: "请用两个方括号 [[%s]] 表示每个%s"}
	textModel          = i18n.Text{EN: "model", ZH: "模型"}
	textRule           = i18n.Text{EN: "rule", ZH: "规则"}
	textUnderSession   = i18n.Text{EN: "agents belong to one session; make such a rule on the screen", ZH: "智能体属于某个会话；请在界面上建立这样的规则"}
	textGraph          = i18n.Text{EN: "graph", ZH: "图"}
	textNoBool         = i18n.Text{EN: "must be true or false, not %q", ZH: "应为 true 或 false，而不是 %q"}
	textNoNumber       = i18n.Text{EN: "must be a whole number, not %q", ZH: "应为整数，而不是 %q"}
	textNoFraction     = i18n.Text{EN: "must be a number, such as 2.50, not %q", ZH: "应为数字，例如 2.50，而不是 %q"}
	textNoList         = i18n.Text{EN: "must be a list in brackets, as in [\"fast\"]", ZH: "应为方括号中的列表，如 [\"fast\"]"}
	textRange          = i18n.Text{EN: "must be from %v to %v, not %v", ZH: "应在 %v 到 %v 之间，而不是 %v"}
	textListedTwice    = i18n.Text{EN: "%q is listed twice", ZH: "%q 列出了两次"}
	textTooLong        = i18n.Text{EN: "must be at most %d bytes long", ZH: "最多 %d 字节"}
	textUnprintable    = i18n.Text{EN: "%q contains a character that cannot be printed", ZH: "%q 含有无法显示的字符"}
	textOneOf          = i18n.Text{EN: "must be one of %s, not %q", ZH: "应为 %s 之一，而不是 %q"}
	textEmpty          = i18n.Text{EN: "must not be empty", ZH: "不能为空"}
	textEndedBefore    = i18n.Text{EN: "must be at least repeats_warned (%d), not %d", ZH: "不能小于 repeats_warned（%d），现为 %d"}
	textKeepsAll       = i18n.Text{EN: "must be below max_context_messages (%d), not %d", ZH: "必须小于 max_context_messages（%d），现为 %d"}
	textBadSecret      = i18n.Text{EN: "contains a space, a line break or another character that keys cannot have", ZH: "含有空格、换行或密钥不能有的其他字符"}
	textReadByOthers   = i18n.Text{EN: "Others can read %s, which contains a key (mode %04o). Run chmod 600 on it.", ZH: "其他用户可以读取含有密钥的 %s（权限 %04o）。请对它运行 chmod 600。"}
	textBadGraphName   = i18n.Text{EN: "%q is not a valid graph name: use at most 64 letters, digits and . _ : / -", ZH: "%q 不能用作图名：最多 64 个字母、数字和 . _ : / -"}
	textGraphTwice     = i18n.Text{EN: "%q is already the name of graphs[%d]; give each its own name", ZH: "%q 已是 graphs[%d] 的名称；请各取一个名称"}
	textNoModel        = i18n.Text{EN: "is set, but no model is chosen: set SOCIETY_MODEL or use --model NAME (or --demo for the offline model)", ZH: "已设置，但没有选择模型：请设置 SOCIETY_MODEL 或用 --model NAME（--demo 使用离线模型）"}
	textNoEndpoint     = i18n.Text{EN: "is set, but without a key or an address: set %s, or OPENAI_BASE_URL for an endpoint without a key (or --demo for the offline model)", ZH: "已设置，但没有密钥或地址：请设置 %s，端点不需要密钥时设置 OPENAI_BASE_URL（--demo 使用离线模型）"}
	textModelsAre      = i18n.Text{EN: "%s; [[models]] has %s", ZH: "%s；[[models]] 中有 %s"}
	textNamelessModel  = i18n.Text{EN: "needs a name, as in name = \"big\"", ZH: "需要名称，如 name = \"big\""}
	textBadModelName   = i18n.Text{EN: "%q is not a valid model name: use at most 64 letters, digits and . _ : / -", ZH: "%q 不能用作模型名：最多 64 个字母、数字和 . _ : / -"}
	textModelTwice     = i18n.Text{EN: "%q is already the name of %s; give each its own name (model may be the same)", ZH: "%q 已是 %s 的名称；请各取一个名称（model 可以相同）"}
	textNoVariable     = i18n.Text{EN: "must be the name of an environment variable that contains the key, as in key_env = \"MY_KEY\"", ZH: "应为存放密钥的环境变量名，如 key_env = \"MY_KEY\""}
	textOwnFallback    = i18n.Text{EN: "names the model itself; name another", ZH: "写的是该模型自己；请写另一个模型"}
	textNoFallback     = i18n.Text{EN: "%q is no model here; there is %s", ZH: "这里没有模型 %q；现有 %s"}
	textTooManyCalls   = i18n.Text{EN: "must be at most limits.model_calls (%d), not %d", ZH: "不能超过 limits.model_calls（%d），现为 %d"}
	textTwoDefaults    = i18n.Text{EN: "%s is already the default; keep only one", ZH: "%s 已是默认模型；只能有一个"}
	textAlsoChosen     = i18n.Text{EN: "model.name chooses the default model, too; remove one of the two", ZH: "model.name 也指定了默认模型；请去掉其中一个"}
	textPassword       = i18n.Text{EN: "contains a user name or password; remove them, and put a key into an environment variable", ZH: "含有用户名或密码；请去掉，并把密钥放进环境变量"}
	textQuery          = i18n.Text{EN: "contains a query, which is not supported; remove it, and put a key into an environment variable", ZH: "含有不支持的查询参数；请去掉，并把密钥放进环境变量"}
	textBadHeader      = i18n.Text{EN: "%q cannot be sent as a header", ZH: "%q 不能作为请求头发送"}
	textReserved       = i18n.Text{EN: "cannot set %s, which is what is asked", ZH: "不能设置 %s：它是请求本身的内容"}
	textNoJSON         = i18n.Text{EN: "contains what JSON cannot say, such as inf or nan", ZH: "含有 JSON 无法表示的内容，如 inf 或 nan"}
	textNoValueOf      = i18n.Text{EN: "the environment variable for it is not set or empty", ZH: "它的环境变量未设置或为空"}
	textTwoKeys        = i18n.Text{EN: "says where the key is, and so does %s: remove one of them", ZH: "说明了密钥所在，%s 也是：请去掉其中一个"}
	textDisabled       = i18n.Text{EN: "Model %s is not available: %s", ZH: "模型 %s 不可用：%s"}
	textKeyless        = i18n.Text{EN: "Model %q has no key: set %s.", ZH: "模型 %q 没有密钥：请设置 %s。"}
	textKeyInModels    = i18n.Text{EN: "keys of [[models]] cannot be in this file: put the key into an environment variable and name it in key_env", ZH: "[[models]] 的密钥不能写在此文件中：请把密钥放进环境变量，并在 key_env 中写明变量名"}
	textNotOfModel     = i18n.Text{EN: "unknown setting of a model; there are %s", ZH: "模型没有这项设置；可用的有 %s"}
)

// What is wrong with MCP servers.
var (
	textServer          = i18n.Text{EN: "MCP server", ZH: "MCP 服务器"}
	textNamelessServer  = i18n.Text{EN: "needs a name, as in name = \"github\"", ZH: "需要名称，如 name = \"github\""}
	textBadServerName   = i18n.Text{EN: "%q is not a valid name of an MCP server: use at most 32 letters, digits and -", ZH: "%q 不能用作 MCP 服务器的名称：最多 32 个字母、数字和 -"}
	textServerTwice     = i18n.Text{EN: "%q is already the name of %s; give each its own name", ZH: "%q 已是 %s 的名称；请各取一个名称"}
	textManyServers     = i18n.Text{EN: "there may be %d MCP servers, not %d", ZH: "最多 %d 个 MCP 服务器，而不是 %d 个"}
	textNoServer        = i18n.Text{EN: "needs a command that starts the server, or the url of one that runs", ZH: "需要启动服务器的 command，或正在运行的服务器的 url"}
	textTwoServers      = i18n.Text{EN: "command is set, too; remove one of the two", ZH: "command 也已设置；请去掉其中一个"}
	textRelativeCommand = i18n.Text{EN: "%q depends on the folder in which the program is started; write the whole path, from / on", ZH: "%q 取决于程序在哪个文件夹中启动；请写出从 / 开始的完整路径"}
	textCommandLine     = i18n.Text{EN: "%q is a command with arguments; put the arguments into args, as in command = \"npx\", args = [\"-y\", \"NAME\"]", ZH: "%q 是带参数的命令；请把参数放进 args，如 command = \"npx\"，args = [\"-y\", \"NAME\"]"}
	textOnlyURL         = i18n.Text{EN: "is for a server with a url; a command is given variables by env", ZH: "用于有 url 的服务器；命令的变量用 env 给出"}
	textOnlyCommand     = i18n.Text{EN: "is for a server with a command; this one has a url", ZH: "用于有 command 的服务器；此服务器使用 url"}
	textNoVariableName  = i18n.Text{EN: "must be names of environment variables without their values, as in env = [\"GITHUB_TOKEN\"]", ZH: "应为环境变量的名称，不带值，如 env = [\"GITHUB_TOKEN\"]"}
	textNoURL           = i18n.Text{EN: "%q is not an address; write one such as https://example.com/mcp", ZH: "%q 不是地址；请写成 https://example.com/mcp 这样"}
	textPlainHTTP       = i18n.Text{EN: "%q would be reached without encryption; use https (http is for this computer only)", ZH: "访问 %q 时不加密；请用 https（http 只用于本机）"}
	textNoTokenName     = i18n.Text{EN: "must be the name of an environment variable that contains the token, as in bearer_env = \"MY_TOKEN\"", ZH: "应为存放令牌的环境变量名，如 bearer_env = \"MY_TOKEN\""}
	textNoToken         = i18n.Text{EN: "%s is not set: set it to the token, or remove bearer_env", ZH: "%s 未设置：请将其设为令牌，或去掉 bearer_env"}
	textServerVariable  = i18n.Text{EN: "MCP server %q will not get %s: it is not set.", ZH: "MCP 服务器 %q 得不到 %s：该变量未设置。"}
	textTokenInServers  = i18n.Text{EN: "keys and tokens of [[mcp]] cannot be in this file: put them into environment variables, and name those in env or bearer_env", ZH: "[[mcp]] 的密钥和令牌不能写在此文件中：请放进环境变量，并在 env 或 bearer_env 中写明变量名"}
	textNotOfServer     = i18n.Text{EN: "unknown setting of an MCP server; there are %s", ZH: "MCP 服务器没有这项设置；可用的有 %s"}
	textServers         = i18n.Text{EN: "MCP servers, whose tools agents can be given. Each is started with the program, and its tools are asked about. society-tui help tools tells more.", ZH: "MCP 服务器，其工具可以给予智能体。每个都随程序启动，调用其工具时会询问你。详见 society-tui help tools。"}
)

// What is wrong with keys.
var (
	textFixedKey   = i18n.Text{EN: "cannot be changed from %s", ZH: "固定为 %s，不能更改"}
	textTypes      = i18n.Text{EN: "%q types text there; use a key such as ctrl+o or f2", ZH: "%q 在那里会输入文字；请用 ctrl+o 或 f2 这样的键"}
	textTypesHere  = i18n.Text{EN: "%q types text in the composer, where this must work too; use a key such as ctrl+o or f2", ZH: "%q 在输入框中会输入文字，而此命令在那里也要可用；请用 ctrl+o 或 f2 这样的键"}
	textNoCommand  = i18n.Text{EN: "unknown command; society-tui help keys lists all names", ZH: "没有这个命令；society-tui help keys 列出全部名称"}
	textKeyMeant   = i18n.Text{EN: "unknown command; did you mean %s?", ZH: "没有这个命令；是否指 %s？"}
	textNoKeys     = i18n.Text{EN: "must be a key or a list of keys, as in \"ctrl+p\" or [\"up\", \"k\"], not %v", ZH: "应为一个键或键的列表，如 \"ctrl+p\" 或 [\"up\", \"k\"]，而不是 %v"}
	textNoKey      = i18n.Text{EN: "%q is not a key; use keys such as ctrl+p, alt+up, f2, space, T", ZH: "%q 不是键；请用 ctrl+p、alt+up、f2、space、T 这样的键"}
	textNoneOfKeys = i18n.Text{EN: "must have at least one key", ZH: "至少要有一个键"}
	textKeyTaken   = i18n.Text{EN: "%q is already the key of %s", ZH: "%q 已是 %s 的键"}
)

// The settings file.
var (
	textHead      = i18n.Text{EN: "Settings of society-tui. Lines that are commented out show the defaults.", ZH: "society-tui 的设置。注释掉的行显示默认值。"}
	textOrder     = i18n.Text{EN: "Flags override the environment, which overrides this file.", ZH: "选项优先于环境变量，环境变量优先于此文件。"}
	textAnyOf     = i18n.Text{EN: " Any of: %s.", ZH: "可选：%s。"}
	textChoices   = i18n.Text{EN: " One of: %s.", ZH: "取值：%s。"}
	textBounds    = i18n.Text{EN: " From %s to %s.", ZH: "范围：%s 到 %s。"}
	textKeysHead  = i18n.Text{EN: "Keys: one key or a list of keys for each command.", ZH: "按键：每个命令一个键，或一个键的列表。"}
	textMore      = i18n.Text{EN: "More models, one table each, for roles to use (/roles in the program, or model in a template).", ZH: "更多模型，每个一张表，供角色使用（在程序中输入 /roles，或在模板中写 model）。"}
	textRules     = i18n.Text{EN: "Rules are exceptions from mode: each allows calls, has them asked for, or denies them. What one denies stays denied.", ZH: "规则是 mode 的例外：各自允许调用、要求询问或拒绝。被拒绝的始终被拒绝。"}
	textGraphs    = i18n.Text{EN: "Graphs are the steps of an agent's turn, for roles to use (/graph in the program, or graph in a template).", ZH: "图是智能体一轮中的步骤，供角色使用（在程序中输入 /graph，或在模板中写 graph）。"}
	textGraphsSee = i18n.Text{EN: "society-tui help graphs explains every field; society-tui templates write prints an example.", ZH: "society-tui help graphs 说明每个字段；society-tui templates write 显示一个示例。"}
)
