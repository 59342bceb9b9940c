package protocol

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Prompt holds the parts of an agent's system prompt.
type Prompt struct {
	ID   string
	Role string // the role's name
	// RolePrompt is the role's text; RootRole's for root.
	RolePrompt string
	Brief      *Brief // nil for root
	// Cut returns what is sent of a brief's text; nil for all of it.
	Cut      func(text string) string
	Contacts []Contact
	// Step and StepPrompt are the title and task of the agent's node in the role's graph;
	// both are "" without a graph.
	Step, StepPrompt string
	// Tools are the names of those that the agent may call; nil if that is not
	// known, which an empty list is not.
	Tools []string
	// Warning is the sentence about a full context, "" for none.
	Warning string
	// Addition is the user's addition to every prompt, "" for none.
	Addition string
}

var (
	//go:embed prompts/en/base.md
	baseEN string
	//go:embed prompts/en/talk.md
	talkEN string
	//go:embed prompts/en/work.md
	workEN string
	//go:embed prompts/en/organise.md
	organiseEN string
	//go:embed prompts/en/root.md
	rootEN string
	//go:embed prompts/zh-CN/base.md
	baseZH string
	//go:embed prompts/zh-CN/talk.md
	talkZH string
	//go:embed prompts/zh-CN/work.md
	workZH string
	//go:embed prompts/zh-CN/organise.md
	organiseZH string
	//go:embed prompts/zh-CN/root.md
	rootZH string
)

// wording has the parts of a system prompt in one language. Headings are
// read by the offline model too.
type wording struct {
	identity                                              string // id, role
	base, talk, work, organise, root                      string
	tools, none                                           string // names; that there are none
	role, step, addition, brief, contacts, warning, empty string
	joint                                                 string // between names
}

func wordings(lang Lang) wording {
	if lang == Chinese {
		return wording{
			identity: "你是智能体 %s，角色“%s”，属于由一个人领导的 AI 智能体社会。",
			base:     baseZH, talk: talkZH, work: workZH, organise: organiseZH, root: rootZH,
			tools: "你可以调用的工具：%s。", joint: "、",
			none: "你没有任何工具：你的回答文本就是你能做的一切。",
			role: "# 你的角色", step: "# 当前步骤：%s", addition: "# 用户的补充说明", brief: "# 任务委托书",
			contacts: "# 联系人", warning: "# 上下文警告", empty: "（无）",
		}
	}
	return wording{
		identity: "You are agent %s, role \"%s\", in a society of AI agents led by a person.",
		base:     baseEN, talk: talkEN, work: workEN, organise: organiseEN, root: rootEN,
		tools: "The tools you can call: %s.", joint: ", ",
		none: "You have no tools: the plain text of your answer is all that you can do.",
		role: "# Your role", step: "# Your present step: %s", addition: "# From the user", brief: "# Task brief",
		contacts: "# Contacts", warning: "# Context warning", empty: "(none)",
	}
}

// SystemPrompt returns the system prompt of an agent: identity and general rules, then
// role, brief, contacts and warning, a section each. Parts that change come last, so that
// endpoints can cache the beginning.
func SystemPrompt(lang Lang, p Prompt) string {
	w := wordings(lang)
	rules := []string{fmt.Sprintf(w.identity, oneLine(p.ID), oneLine(p.Role)), strings.TrimSpace(w.base)}
	if p.Tools == nil || slices.Contains(p.Tools, "send_message") {
		rules = append(rules, strings.TrimSpace(w.talk))
	}
	rules = append(rules, strings.TrimSpace(workRules(w.work, p.Tools)))
	if slices.Contains(p.Tools, "spawn_agent") {
		rules = append(rules, strings.TrimSpace(w.organise))
	}
	switch {
	case len(p.Tools) > 0:
		rules = append(rules, fmt.Sprintf(w.tools, strings.Join(p.Tools, w.joint)))
	case p.Tools != nil:
		rules = append(rules, w.none)
	}
	sections := []string{strings.Join(rules, "\n\n")}
	add := func(heading, body string) {
		if strings.TrimSpace(body) != "" {
			sections = append(sections, heading+"\n"+body)
		}
	}
	add(w.role, w.beneath(p.RolePrompt))
	if p.Step != "" {
		add(fmt.Sprintf(w.step, oneLine(p.Step)), cmp.Or(strings.TrimSpace(w.beneath(p.StepPrompt)), w.empty))
	}
	add(w.addition, p.Addition)
	if p.Brief != nil {
		text := BriefText(lang, *p.Brief)
		if p.Cut != nil {
			text = p.Cut(text)
		}
		add(w.brief, text)
	}
	add(w.contacts, contactsText(p.Contacts))
	return Warned(lang, strings.Join(sections, "\n\n"), p.Warning)
}

// workRules returns the rules of how to work, without the line about a tool that the agent
// does not have: the runtime compresses for it.
func workRules(rules string, tools []string) string {
	const compress = "compress_context"
	if tools == nil || slices.Contains(tools, compress) {
		return rules
	}
	lines := strings.Split(rules, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, compress) }), "\n")
}

// Warned returns a system prompt that was made without a warning with this one
// behind it; "" is none. So the rest need not be made again when only the warning
// is another.
func Warned(lang Lang, system, warning string) string {
	if strings.TrimSpace(warning) == "" {
		return system
	}
	return system + "\n\n" + wordings(lang).warning + "\n" + warning
}

// beneath indents the lines of a role's prompt that are headings of ours: agents
// write prompts, and must not begin the section of the user with them.
func (w wording) beneath(prompt string) string {
	lines := strings.Split(prompt, "\n")
	for i, line := range lines {
		heading, _, _ := strings.Cut(w.step, "%")
		switch trimmed := strings.TrimSpace(line); {
		case slices.Contains([]string{w.role, w.addition, w.brief, w.contacts, w.warning}, trimmed), strings.HasPrefix(trimmed, heading):
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

// RootRole returns the name and the prompt of root's role.
func RootRole(lang Lang) (name, prompt string) {
	return "root", strings.TrimSpace(wordings(lang).root)
}

// BriefText writes the brief field by field. The field names are the JSON names
// in every language, so that the agent finds them again in messages. Lines after
// the first are indented: no value can end the section.
func BriefText(lang Lang, b Brief) string {
	w := wordings(lang)
	var lines []string
	field := func(name, value string) {
		lines = append(lines, "- "+name+": "+indented(value, "  "))
	}
	items := func(name string, values []string) {
		if len(values) == 0 {
			lines = append(lines, "- "+name+": "+w.empty)
			return
		}
		lines = append(lines, "- "+name+":")
		for _, v := range values {
			lines = append(lines, "  - "+indented(v, "    "))
		}
	}
	field("objective", b.Objective)
	items("constraints", b.Constraints)
	field("inputs", b.Inputs)
	field("outputs", b.Outputs)
	field("completion_criteria", b.CompletionCriteria)
	if len(b.Collaborators) > 0 {
		var list []string
		for _, c := range b.Collaborators {
			list = append(list, collaboratorText(c))
		}
		items("collaborators", list)
	}
	if b.References != nil {
		items("references", b.References)
	}
	if b.Priority != "" {
		field("priority", b.Priority)
	}
	more, _ := readObject(b.More)
	for _, f := range more {
		value := string(f.value)
		if s, ok := text(f.value); ok {
			value = s
		}
		field(oneLine(f.name), value)
	}
	return strings.Join(lines, "\n")
}

func collaboratorText(c Collaborator) string {
	line := oneLine(c.AgentID)
	if c.Role != "" {
		line += " (" + oneLine(c.Role) + ")"
	}
	if c.Description != "" {
		line += ": " + c.Description
	}
	if c.InterfaceSpec != nil {
		line += "\ninterfaceSpec: " + string(encode(c.InterfaceSpec))
	}
	return line
}

func contactsText(contacts []Contact) string {
	var lines []string
	for _, c := range contacts {
		line := fmt.Sprintf("- %s (%s), %s", oneLine(c.ID), oneLine(c.Role), c.Source)
		if c.Name != "" {
			line += ", name: " + oneLine(c.Name)
		}
		lines = append(lines, line)
		if c.Description != "" {
			lines = append(lines, "  "+oneLine(c.Description))
		}
		if c.InterfaceSpec != nil {
			lines = append(lines, "  interface_spec: "+string(encode(c.InterfaceSpec.short())))
		}
		if c.Said != nil {
			lines = append(lines, "  "+introducerSays+": "+string(encode(c.Said.short())))
		}
	}
	return strings.Join(lines, "\n")
}

// breaks are the characters that a reader may take for the end of a line.
var breaks = regexp.MustCompile("\r\n|[\n\r\v\f\u0085\u2028\u2029]")

// indented keeps all lines of a value beneath its name, whatever breaks them.
func indented(value, by string) string {
	return breaks.ReplaceAllString(value, "${0}"+by)
}
