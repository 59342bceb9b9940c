package org

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/tool"
)

func (w words) createRole() tool.Spec {
	arguments := []tool.Property{
		tool.Must("name", tool.Text(w.say(
			"Short name that says what the role does, on one line, at most 64 columns wide, for example \"Go programmer\". Not user, root or system.",
			"简短的名称，说明岗位的职责，单行，宽度不超过 64 列，例如“前端程序员”。不得是 user、root、system 或“用户”“系统”。",
		))),
		tool.Must("rolePrompt", tool.Text(w.say(
			"What every agent of this role must know, addressed to it (\"You …\"): its duty, how it works, what good results look like, which role to ask for what. Nothing about one task; that belongs into the task brief.",
			"此岗位的每个智能体都须知道的内容，以“你……”的口吻书写：职责、工作方式、优质成果的标准、什么事应找哪个岗位。不写具体任务，具体任务写在任务委托书中。",
		))),
		tool.May("interfaceSpec", w.interfaceSpec(w.say(
			"How others work with agents of this role; it is passed on when they are introduced.",
			"其他智能体如何与此岗位协作；介绍联系人时会一并提供。",
		))),
		tool.May("toolGroups", tool.Texts(w.chooseGroups())),
	}
	return spec(CreateRole, w.say(
		"Create a role: a kind of agent. Look with find_role first and reuse a role that fits. Returns its roleId, with which spawn_agent makes agents.",
		"创建岗位，即一类智能体。请先用 find_role 查找，有合适的岗位就复用。返回 roleId，供 spawn_agent 创建智能体时使用。",
	), tool.ClassOwn, slices.Concat(arguments, w.chooseModel(), w.chooseGraph())...)
}

// mostNamed is how many tools of a group are named to whoever makes roles: MCP servers have
// many, and their names tell enough.
const mostNamed = 12

// chooseGroups describes the groups of tools that there are.
func (w words) chooseGroups() string {
	groups := w.say(
		"The groups of tools that its agents may use: organise (roles and agents), talk (messages, contacts), context (compress)",
		"此岗位的智能体可用的工具组：organise（岗位与智能体）、talk（消息与联系人）、context（压缩上下文）",
	)
	for _, g := range w.offer.Groups {
		named := g.Tools
		if len(named) > mostNamed {
			named = append(slices.Clone(named[:mostNamed]), "…")
		}
		if len(named) == 0 { // they are not known yet
			groups += fmt.Sprintf(w.say(", %s", "、%s"), g.Name)
			continue
		}
		groups += fmt.Sprintf(w.say(", %s (%s)", "、%s（%s）"), g.Name, strings.Join(named, ", "))
	}
	groups += w.say(
		". Leave it out for organise, talk and context. Without organise an agent works alone; without talk it can only answer. All can read.",
		"。不填则为 organise、talk 和 context。没有 organise 就不能委派他人；没有 talk 就只能作答。所有岗位都可使用 read。",
	)
	if len(w.offer.Groups) > 0 {
		groups += w.say(
			" Name the others for the agents that need them, whether or not you have them.",
			"其他组请给予需要它们的智能体，无论你自己是否拥有。",
		)
	}
	return groups
}

// chooseGraph is the argument that chooses a graph, where there is one.
func (w words) chooseGraph() []tool.Property {
	if len(w.offer.Graphs) == 0 {
		return nil
	}
	var graphs []string
	for _, g := range w.offer.Graphs {
		said := g.Name
		if g.Description != "" {
			said += " (" + strings.TrimRight(g.Description, ".。") + ")"
		}
		graphs = append(graphs, said)
	}
	return []tool.Property{tool.May("graph", tool.Text(fmt.Sprintf(w.say(
		"The steps that each turn of its agents runs through: %s. Leave it out for a single step, which is right for most work.",
		"此岗位的智能体每一轮依次经过的步骤：%s。不填则只有一个步骤，适合大多数工作。",
	), strings.Join(graphs, "; "))))}
}

// chooseModel are the arguments that choose a model, where there is one to choose.
func (w words) chooseModel() []tool.Property {
	if len(w.offer.Models) < 2 {
		return nil
	}
	var names, capabilities []string
	for _, m := range w.offer.Models {
		said := m.Name
		if len(m.Capabilities) > 0 {
			said += " (" + strings.Join(m.Capabilities, ", ") + ")"
		}
		names = append(names, said)
		for _, c := range m.Capabilities {
			if !slices.Contains(capabilities, c) {
				capabilities = append(capabilities, c)
			}
		}
	}
	arguments := []tool.Property{tool.May("model", tool.Text(fmt.Sprintf(w.say(
		"The model that its agents think with: %s. Leave it out for %s, unless the work asks for another.",
		"此岗位的智能体所用的模型：%s。不填则使用 %s；仅在工作确有需要时另选。",
	), strings.Join(names, "; "), w.offer.Models[0].Name)))}
	if capabilities == nil {
		return arguments
	}
	return append(arguments, tool.May("capability", tool.Text(fmt.Sprintf(w.say(
		"Instead of model: a capability that the model is to have, one of %s.",
		"代替 model：所需模型具有的能力，取其一：%s。",
	), strings.Join(capabilities, ", ")))))
}

func (w words) interfaceSpec(description string) tool.Schema {
	return tool.Object(
		description,
		tool.May("services", tool.Text(w.say("What it does for others.", "提供的服务。"))),
		tool.May("input_format", tool.Text(w.say("What a request must contain.", "请求须包含的内容。"))),
		tool.May("output_format", tool.Text(w.say("What comes back.", "返回的内容。"))),
		tool.May("examples", tool.Texts(w.say("Examples of requests.", "请求示例。"))),
	)
}

func (w words) findRole() tool.Spec {
	return spec(FindRole, w.say(
		"Find existing roles by a part of their name. Call it before create_role.",
		"按名称的一部分查找已有岗位。在 create_role 之前调用。",
	), tool.ClassRead,
		tool.Must("query", tool.Text(w.say("Part of the name; upper and lower case are the same.", "名称的一部分，不区分大小写。"))),
	)
}

func (w words) listRoles() tool.Spec {
	return spec(ListRoles, w.say(
		"List all roles, who created them and how many agents each has.",
		"列出所有岗位、创建者以及各岗位现有的智能体数量。",
	), tool.ClassRead)
}
