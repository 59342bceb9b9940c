package protocol

// The reasons for which a call or a command is refused, with their arguments.
const (
	// Why a command about an agent is refused.
	UserIsNoAgent   Key = "user_is_no_agent"
	NoSuchAgent     Key = "no_such_agent"    // the id
	WasTerminated   Key = "was_terminated"   // the agent
	BeingTerminated Key = "being_terminated" // the agent
	BeingEnded      Key = "being_ended"      // the agent
	AlreadyEnding   Key = "already_ending"   // the agent
	YouAreEnded     Key = "you_are_ended"    // to one that would make something
	StillStopping   Key = "still_stopping"   // the agent
	StoppedAgent    Key = "stopped_agent"    // the agent, to which a message was sent
	NothingRuns     Key = "nothing_runs"     // the agent
	NotAChild       Key = "not_a_child"      // the agent
	ParentsUseTool  Key = "parents_use_tool"
	RootStays       Key = "root_stays"      // it cannot be terminated
	StopTookOver    Key = "stop_took_over"  // what ended a drain
	UserTerminated  Key = "user_terminated" // the same
	FoundedBefore   Key = "founded_before"
	NotFounded      Key = "not_founded"

	// Why a message is refused.
	NothingWritten    Key = "nothing_written"
	NothingWaiting    Key = "nothing_waiting" // the agent
	UnknownTask       Key = "unknown_task"    // the task
	BudgetSpent       Key = "budget_spent"    // whose it is
	BudgetOfTask      Key = "budget_of_task"  // its id
	BudgetOfDay       Key = "budget_of_day"   // its date
	NoBudget          Key = "no_budget"
	BadBudget         Key = "bad_budget"
	NobodyToIntroduce Key = "nobody_to_introduce" // the id
	ToOneself         Key = "to_oneself"
	MessageTooLarge   Key = "message_too_large"   // bytes, the most
	MailboxIsFull     Key = "mailbox_is_full"     // messages, the agent
	TooManyMessages   Key = "too_many_messages"   // the most in a task
	TooManyDelayed    Key = "too_many_delayed"    // messages of the sender
	TooManyDelayedTo  Key = "too_many_delayed_to" // messages, their recipient
	NothingIsSaved    Key = "nothing_is_saved"    // why
	HistoryUnread     Key = "history_unread"      // why

	// Why no agent is made: the caps, to an agent and to the user.
	AgentsAtMost   Key = "agents_at_most"   // agents
	DepthAtMost    Key = "depth_at_most"    // the depth
	ChildrenAtMost Key = "children_at_most" // children
	SpawnsAtMost   Key = "spawns_at_most"   // agents
	LimitAgents    Key = "limit_agents"     // agents
	LimitDepth     Key = "limit_depth"      // the agent, its depth
	LimitChildren  Key = "limit_children"   // the agent, its children

	// Why a role is not made or changed.
	UnknownRole       Key = "unknown_role"    // the id
	UnknownRoleID     Key = "unknown_role_id" // the id
	RoleNotMade       Key = "role_not_made"   // the name, why
	RoleNeedsPrompt   Key = "role_needs_prompt"
	EmptyPrompt       Key = "empty_prompt"
	QueryNeeded       Key = "query_needed"
	UnknownGroups     Key = "unknown_groups"      // groups of tools, those there are
	ToolNotGiven      Key = "tool_not_given"      // the tool, the groups that the role has
	ModelStays        Key = "model_stays"         // the role, why
	ModelOrCapability Key = "model_or_capability" // both
	UnsetModel        Key = "unset_model"         // the model, those there are
	UnsetChosenModel  Key = "unset_chosen_model"  // the same for the user
	WaitingModel      Key = "waiting_model"       // the model
	UnsetCapability   Key = "unset_capability"    // the capability, those there are
	GraphStays        Key = "graph_stays"         // the role, why
	UnknownGraph      Key = "unknown_graph"       // the graph, those there are
	GraphUnfit        Key = "graph_unfit"         // the graph, why
	NodeUnfit         Key = "node_unfit"          // the node, why
	NodeLacksTool     Key = "node_lacks_tool"     // the node, the tool
	TemplateRefused   Key = "template_refused"    // the template, why

	// Why requests are not answered, and rules and modes not changed.
	BadRule       Key = "bad_rule"    // why
	RuleMisses    Key = "rule_misses" // the number of a request
	UnknownRule   Key = "unknown_rule"
	UnknownAnswer Key = "unknown_answer" // what was said
	UnknownMode   Key = "unknown_mode"   // the mode
	ModeOfBoth    Key = "mode_of_both"
	UnknownEffort Key = "unknown_effort" // what was said
	NoEffortOf    Key = "no_effort_of"   // what was named, and all levels

	// Why something cannot be called so.
	NameMissing   Key = "name_missing"
	NameNotUTF8   Key = "name_not_utf8"
	NameTooLong   Key = "name_too_long" // the most cells
	NameBlankEnds Key = "name_blank_ends"
	NameForbids   Key = "name_forbids" // the character
	NameLines     Key = "name_lines"
	NameInvisible Key = "name_invisible" // the character
	NameLike      Key = "name_like"      // whose name
	NameOfAgent   Key = "name_of_agent"

	// What is wrong with the arguments of a call.
	NoArguments      Key = "no_arguments"       // what they are instead of an object
	InField          Key = "in_field"           // the field, what is wrong with it
	Missing          Key = "missing"            // fields
	MustBe           Key = "must_be"            // the field, what it must be, what it is
	MustBeWhole      Key = "must_be_whole"      // the field, what it is
	MustBeUpTo       Key = "must_be_up_to"      // the field, the most, what it is
	MustBeOneOf      Key = "must_be_one_of"     // the field, its values, what it is
	MustBeRecipients Key = "must_be_recipients" // the field
	TooManyItems     Key = "too_many_items"     // the field, the most, how many there are
	TooLong          Key = "too_long"           // the field, the most bytes, how many there are
	EitherOr         Key = "either_or"          // two fields of which one is needed
	ArtifactTooLarge Key = "artifact_too_large" // bytes, the most

	// Files that cannot go with a message.
	TooManyAttached     Key = "too_many_attached"      // how many, the most
	AttachedEmpty       Key = "attached_empty"         // name
	AttachedTooLarge    Key = "attached_too_large"     // name, bytes, the most
	AllAttachedTooLarge Key = "all_attached_too_large" // bytes, the most
	AttachedBinary      Key = "attached_binary"        // name, type
	ImagePixels         Key = "image_pixels"           // name, the most megapixels, its size
	ImageDamaged        Key = "image_damaged"          // name, what is wrong

	ArtifactVersions Key = "artifact_versions" // the artifact, the most
	ArtifactsFull    Key = "artifacts_full"    // the most MiB in a task
	NoArtifact       Key = "no_artifact"       // what was asked for
	ArtifactBinary   Key = "artifact_binary"   // the id, its type, its bytes
	NoWorkspace      Key = "no_workspace"      // a path
	FileUnread       Key = "file_unread"       // a path, why
	WorktreeFailed   Key = "worktree_failed"   // why
	WorktreeMissing  Key = "worktree_missing"  // nothing
	TodoAgain        Key = "todo_again"        // a second call in an answer
	UnknownAgentAt   Key = "unknown_agent_at"  // the field, the id
	UnknownType      Key = "unknown_type"      // the type, those there are
	BriefIncomplete  Key = "brief_incomplete"  // what is wrong
	PayloadUnfit     Key = "payload_unfit"     // the type, what is wrong

	// What a value is, or must be.
	KindNothing        Key = "kind_nothing"
	KindInvalid        Key = "kind_invalid"
	KindNull           Key = "kind_null"
	KindBoolean        Key = "kind_boolean"
	KindNumber         Key = "kind_number"
	KindWhole          Key = "kind_whole"
	KindString         Key = "kind_string"
	KindObject         Key = "kind_object"
	KindList           Key = "kind_list"
	KindStrings        Key = "kind_strings"
	KindObjects        Key = "kind_objects"
	KindStringOrObject Key = "kind_string_or_object"
	NoNames            Key = "no_names" // stands for names where there are none
)

var refusals = map[Key]sentence{
	UserIsNoAgent:   {"the user is a person, not an agent; name an agent", "user 是用户本人，不是智能体；请指定一个智能体"},
	NoSuchAgent:     {"there is no agent %q; see get_org for who is there", "没有智能体 %q；请用 get_org 查看现有的智能体"},
	WasTerminated:   {"%s was terminated; see get_org for who is there", "%s 已被终止；请用 get_org 查看现有的智能体"},
	BeingTerminated: {"%s is being terminated and takes no part any more", "%s 正在终止，不再参与任何工作"},
	BeingEnded:      {"%s is being ended and takes no messages any more", "%s 正在收尾，不再接收消息"},
	AlreadyEnding:   {"%s is being ended already", "%s 已在收尾，即将终止"},
	YouAreEnded: {
		"you are being ended: finish what you have, and make nothing new",
		"你即将被终止：请完成手头的工作，不要再创建岗位或智能体",
	},
	StillStopping: {"%s is still stopping; try again in a moment", "%s 仍在停止中；请稍后再试"},
	StoppedAgent:  {"%s is stopped and takes no messages until it is resumed", "%s 已停止，恢复之前不接收消息"},
	NothingRuns:   {"%s is stopped: nothing of it runs", "%s 已停止，没有正在进行的工作"},
	NotAChild: {
		"%s is not a child of yours: an agent terminates only those it spawned itself",
		"%s 不是你的子智能体：智能体只能终止自己创建的智能体",
	},
	ParentsUseTool: {
		"an agent terminates its children with terminate_agent, which lets them finish first",
		"智能体须用 terminate_agent 终止子智能体，以便其先完成手头的工作",
	},
	RootStays:         {"root cannot be terminated; stop it instead", "root 不能被终止；可以改为停止它"},
	StopTookOver:      {"a stop took over", "已被停止操作取代"},
	UserTerminated:    {"the user terminated it", "用户已将其终止"},
	FoundedBefore:     {"this society was founded before", "此团队已经建立"},
	NotFounded:        {"this society was not founded yet", "此团队尚未建立"},
	NothingWritten:    {"there is no text; write something first", "没有文字；请先写些内容"},
	NothingWaiting:    {"no message of yours is waiting for %s; it has been read", "你发给 %s 的消息已被读取，没有可收回的"},
	BudgetSpent:       {"the budget of %s is spent; raise it first with /budget", "预算已用完（%s）；请先用 /budget 提高"},
	BudgetOfTask:      {"task %s", "任务 %s"},
	BudgetOfDay:       {"day %s", "%s 当天"},
	NoBudget:          {"there is no budget to add to; set an amount", "没有可追加的预算；请设定一个额度"},
	BadBudget:         {"a budget is for an agent, a task or the day, and is 0 or more", "预算针对一个智能体、一个任务或当天，且不小于 0"},
	UnknownTask:       {"there is no task %q; leave it out to continue the agent's", "没有任务 %q；不填则继续该智能体的当前任务"},
	NobodyToIntroduce: {"there is no agent %q to introduce (target.id); get_org lists those there are", "没有可介绍的智能体 %q（target.id）；可用 get_org 查看现有的智能体"},
	ToOneself:         {"a message to oneself goes nowhere; name somebody else", "不能给自己发消息；请指定其他收件人"},
	MessageTooLarge: {
		"the message has %d bytes, %d are allowed; send less, or in parts",
		"消息有 %d 字节，上限为 %d 字节；请缩减内容或分批发送",
	},
	MailboxIsFull: {
		"%d messages are waiting for %s already; wait until it has read them",
		"已有 %d 条消息在等 %s 阅读；请等它读完再发",
	},
	TooManyMessages: {
		"agents have sent %d messages in this task without the user; the user must resume you first",
		"此任务中智能体之间已发送 %d 条消息而没有用户参与；须由用户先恢复你",
	},
	TooManyDelayed:   {"%d messages of yours wait for their time already", "你已有 %d 条消息在等待发送时间"},
	TooManyDelayedTo: {"%d messages to %s wait for their time already", "已有 %d 条发给 %s 的消息在等待发送时间"},
	NothingIsSaved:   {"nothing is being saved: %s", "目前无法保存任何内容：%s"},
	HistoryUnread:    {"your history could not be read: %s", "无法读取你的会话历史：%s"},
	AgentsAtMost: {
		"%d agents are alive, no more are allowed; reuse one, or terminate those that are done",
		"现有 %d 个智能体，已达上限；请复用已有的，或终止已完成工作的",
	},
	DepthAtMost: {
		"agents at depth %d may not spawn; do it yourself, or ask your parent for more agents",
		"深度为 %d 的智能体不能再创建子智能体；请自行完成，或请父智能体增派",
	},
	ChildrenAtMost: {
		"you have %d children, no more are allowed; reuse one, or terminate those that are done",
		"你已有 %d 个子智能体，已达上限；请复用已有的，或终止已完成工作的",
	},
	SpawnsAtMost: {
		"%d agents were spawned within a minute, no more are allowed; go on with those you have",
		"一分钟内已创建 %d 个智能体，已达上限；请先使用已有的智能体",
	},
	LimitAgents: {
		"%d agents are alive, no more are allowed; end some, or raise limits.agents",
		"现有 %d 个智能体，已达上限；请终止一些，或提高 limits.agents",
	},
	LimitDepth: {
		"%s is at depth %d, and nobody may be deeper; raise limits.depth",
		"%s 的深度为 %d，不能再有下级；请提高 limits.depth",
	},
	LimitChildren: {
		"%s has %d children, no more are allowed; end some, or raise limits.children",
		"%s 已有 %d 个下级，已达上限；请终止一些，或提高 limits.children",
	},
	UnknownRole: {"there is no role %q", "没有角色 %q"},
	UnknownRoleID: {
		"roleId: there is no role %q; list_roles shows those there are, create_role makes one",
		"roleId：没有岗位 %q；可用 list_roles 查看现有岗位，用 create_role 创建岗位",
	},
	RoleNotMade: {"the role %q cannot be made: %s", "无法创建角色 %q：%s"},
	RoleNeedsPrompt: {
		"rolePrompt is missing: say what an agent of this role does, and how",
		"缺少 rolePrompt：请写明此岗位的智能体做什么、怎么做",
	},
	EmptyPrompt: {
		"the prompt is empty: say what an agent of this role does, and how",
		"提示词为空：请写明此角色的智能体做什么、怎么做",
	},
	QueryNeeded: {
		"query is missing: give a part of a role's name, or call list_roles",
		"缺少 query：请给出岗位名称的一部分，或调用 list_roles",
	},
	UnknownGroups: {"there is no group %s; there are %s", "没有工具组 %s；现有：%s"},
	ToolNotGiven: {
		"your role may not use %s; it was given %s. Do without it, or ask who gave you the task",
		"你的岗位不能使用 %s；可用的工具组：%s。请换一种做法，或询问交给你任务的一方",
	},
	ModelStays: {"the model of %s stays: %s", "%s 的模型保持不变：%s"},
	ModelOrCapability: {
		"a role names a model or a capability, not both (%q and %q)",
		"只能指定模型或能力之一，不能同时指定（%q 和 %q）",
	},
	UnsetModel: {
		"the model %q is not set up (there is %s); set it up, or leave model out",
		"模型 %q 未设置（现有：%s）；请设置该模型，或不填 model",
	},
	UnsetChosenModel: {
		"the model %q is not set up (there is %s); /models sets it up",
		"模型 %q 未设置（现有：%s）；可用 /models 设置",
	},
	WaitingModel: {
		"the model %q is set up, but waits until /models makes it the default: the offline model answers for all",
		"模型 %q 已设置，但要先用 /models 设为默认模型：目前由离线模型代为回答",
	},
	UnsetCapability: {
		"no model that is set up has the capability %q (there is %s); set one up, or leave capability out",
		"已设置的模型都不具备 %q 能力（现有：%s）；请设置这样的模型，或不填 capability",
	},
	GraphStays: {"the graph of %s stays: %s", "%s 的图保持不变：%s"},
	UnknownGraph: {
		"there is no graph %q (there are %s); name one of these, or leave graph out for a single step",
		"没有图 %q（现有：%s）；请从中选一个，或不填 graph 以使用单一步骤",
	},
	GraphUnfit:      {"the graph %q cannot be given to a role: %s", "图 %q 不能用于角色：%s"},
	NodeUnfit:       {"its node %q: %s", "其节点 %q：%s"},
	NodeLacksTool:   {"its node %q: there is no tool %q; leave it out", "其节点 %q：没有工具 %q；请去掉它"},
	TemplateRefused: {"the template %q was not added: %s", "未能按模板 %q 创建：%s"},
	BadRule:         {"wrong rule: %s", "规则有误：%s"},
	RuleMisses:      {"the rule does not answer request %d", "这条规则不能答复请求 %d"},
	UnknownRule:     {"there is no rule %d", "没有规则 %d"},
	UnknownAnswer:   {"the answer must be once, task, deny or rule, not %q", "答复应为 once、task、deny 或 rule，而不是 %q"},
	UnknownMode:     {"the mode must be read-only, ask, edits or all, not %q", "模式应为 read-only、ask、edits 或 all，而不是 %q"},
	UnknownEffort:   {"the effort must be unset, none, minimal, low, medium, high, xhigh or max, not %q", "思考强度应为 unset、none、minimal、low、medium、high、xhigh 或 max，而不是 %q"},
	NoEffortOf:      {"%q is no level, role or model; levels: %s", "%q 不是级别、角色或模型；级别：%s"},
	ModeOfBoth:      {"set the mode of a role or of an agent, not of both", "请设置角色或智能体的模式，不能同时设置"},

	NameMissing:   {"a name is needed", "需要一个名称"},
	NameNotUTF8:   {"the name is not valid UTF-8", "名称不是有效的 UTF-8"},
	NameTooLong:   {"the name is too long: %d cells are the most", "名称太长：最多 %d 列宽"},
	NameBlankEnds: {"the name begins or ends with a blank", "名称的开头或结尾有空格"},
	NameForbids:   {"the name must not contain %c", "名称不能含有 %c"},
	NameLines:     {"the name must be one line", "名称只能是一行"},
	NameInvisible: {"the name contains the invisible character %U", "名称含有不可见的字符 %U"},
	NameLike: {
		"the name can be mistaken for %q; choose another, that says what it does",
		"名称会被误认为 %q；请另取一个能说明其用途的名称",
	},
	NameOfAgent:  {"the name is the id of another agent", "名称是另一个智能体的编号"},
	NoArguments:  {"they must be a JSON object, not %s", "必须是 JSON 对象，不能是%s"},
	InField:      {"%s: %s", "%s：%s"},
	Missing:      {"missing: %s", "缺少：%s"},
	MustBe:       {"%s must be %s, not %s", "%s 必须是%s，不能是%s"},
	MustBeWhole:  {"%s must be a whole number that is at least 0, not %s", "%s 必须是不小于 0 的整数，不能是 %s"},
	MustBeUpTo:   {"%s must be a whole number from 0 to %d, not %s", "%s 必须是 0 到 %d 的整数，不能是 %s"},
	MustBeOneOf:  {"%s must be one of %s, not %q", "%s 必须是以下之一：%s，不能是 %q"},
	TooManyItems: {"%s may have %d items, not %d", "%s 最多 %d 项，不能有 %d 项"},
	TooLong:      {"%s may have %d bytes, not %d", "%s 最多 %d 字节，不能有 %d 字节"},
	EitherOr:     {"give either %s or %s", "%s 和 %s 必须且只能填写一个"},
	TooManyAttached: {
		"%d files are too many for one message, it takes %d; send the rest with another one",
		"附件有 %d 个，一条消息最多 %d 个；其余文件请随另一条消息发送",
	},
	AttachedEmpty: {"%s is empty; attach a file with something in it", "%s 是空文件；请附带有内容的文件"},
	AttachedTooLarge: {
		"%s has %d bytes, an attachment takes %d; attach the part that matters, or put the file into the workspace",
		"%s 有 %d 字节，附件最多 %d 字节；请只附带需要的部分，或将文件放入工作区",
	},
	AllAttachedTooLarge: {
		"the attachments have %d bytes together, a message takes %d; send some of them with another one",
		"附件共 %d 字节，一条消息最多 %d 字节；请将部分附件随另一条消息发送",
	},
	AttachedBinary: {
		"%s is neither a text in UTF-8 nor an image in PNG, JPEG, GIF or WebP, but %s; convert it, or put it into the workspace",
		"%s 既不是 UTF-8 文本，也不是 PNG、JPEG、GIF 或 WebP 图片，而是 %s；请转换格式，或将文件放入工作区",
	},
	ImagePixels: {
		"%s is an image of more than %d megapixels (%s); make it smaller first",
		"图片 %s 超过 %d 百万像素（%s）；请先缩小",
	},
	ImageDamaged: {
		"the image %s cannot be read (%s); save it again as PNG or JPEG",
		"无法读取图片 %s（%s）；请重新保存为 PNG 或 JPEG",
	},
	ArtifactTooLarge: {
		"the artifact has %d bytes, %d are allowed; put it in parts",
		"产出有 %d 字节，上限为 %d 字节；请分成几部分保存",
	},
	ArtifactVersions: {
		"artifact %s has %d versions, which is the most; put it under another name",
		"产出 %s 已有 %d 个版本，达到上限；请改用其他名称保存",
	},
	ArtifactsFull: {
		"the artifacts of this task would have more than %d MiB together; put less",
		"本任务的产出合计将超过 %d MiB；请减少保存的内容",
	},
	NoArtifact: {
		"your task has no artifact %q; artifact_list names those there are",
		"本任务没有产出 %q；可用 artifact_list 查看现有的产出",
	},
	ArtifactBinary: {
		"artifact %s is %s, %d bytes: it is no text and cannot be read as one",
		"产出 %s 的类型为 %s，共 %d 字节：它不是文本，无法读取",
	},
	NoWorkspace: {
		"there is no workspace to read %q from; give the text as content",
		"没有可读取 %q 的工作区；请用 content 给出文本",
	},
	FileUnread: {"%q cannot be read: %s", "无法读取 %q：%s"},
	WorktreeFailed: {
		"no git worktree could be made for the agent, so it was not spawned: %s",
		"无法为该智能体创建 git 工作树，因此没有创建它：%s",
	},
	WorktreeMissing: {"it was not prepared; try again", "尚未准备好；请重试"},
	TodoAgain: {
		"todo was called before in this answer; give the whole list in one call",
		"本次回答已经调用过 todo；请在一次调用中给出完整清单",
	},
	MustBeRecipients: {"%s must be the id of an agent, or a list of ids", "%s 必须是智能体的 ID，或 ID 列表"},
	UnknownAgentAt: {
		"%s: there is no agent %q; get_org lists those there are",
		"%s：没有智能体 %q；可用 get_org 查看现有的智能体",
	},
	UnknownType:     {"message_type %q: it must be one of %s", "message_type %q：必须是以下之一：%s"},
	BriefIncomplete: {"taskBrief is not complete: %s. Mend this and call again.", "taskBrief 不完整：%s。请修正后重新调用。"},
	PayloadUnfit: {
		"the payload does not fit a %s: %s. Mend this and call again.",
		"payload 不符合 %s 的要求：%s。请修正后重新调用。",
	},
	KindNothing:        {"nothing", "空"},
	KindInvalid:        {"invalid JSON", "无效的 JSON"},
	KindNull:           {"null", "空值 null"},
	KindBoolean:        {"a boolean", "布尔值"},
	KindNumber:         {"a number", "数字"},
	KindWhole:          {"a whole number", "整数"},
	KindString:         {"a string", "字符串"},
	KindObject:         {"an object", "对象"},
	KindList:           {"a list", "列表"},
	KindStrings:        {"a list of strings", "字符串列表"},
	KindObjects:        {"a list of objects", "对象列表"},
	KindStringOrObject: {"a string or an object", "字符串或对象"},
	NoNames:            {"none", "无"},
}
