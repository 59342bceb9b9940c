// Package org describes the tools with which agents organise themselves: roles, agents,
// messages, contacts, and their own context. [Specs] returns the descriptions. The tools
// have no Call: package society decides them itself, in the transaction in which their
// effects happen.
package org

import (
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// The names of the tools.
const (
	CreateRole      = "create_role"
	FindRole        = "find_role"
	ListRoles       = "list_roles"
	SpawnAgent      = "spawn_agent"
	TerminateAgent  = "terminate_agent"
	SendMessage     = "send_message"
	ListContacts    = "list_contacts"
	GetOrg          = "get_org"
	CompressContext = "compress_context"
	ContextStatus   = "context_status"
)

// The groups of the tools. Organisation is a name for all three of them.
const (
	Organise     tool.Group = "organise" // roles and agents: to make and to end them
	Talk         tool.Group = "talk"     // messages, and contacts to write to
	Context      tool.Group = "context"  // one's own context
	Organisation tool.Group = "organisation"
)

// Groups returns the groups of the tools, in a fixed order.
func Groups() []tool.Group { return []tool.Group{Organise, Talk, Context} }

// GroupOf returns the group of a tool; ok is false for one that is not among
// these.
func GroupOf(name string) (g tool.Group, ok bool) {
	switch name {
	case CreateRole, FindRole, ListRoles, SpawnAgent, TerminateAgent:
		return Organise, true
	case SendMessage, ListContacts, GetOrg:
		return Talk, true
	case CompressContext, ContextStatus:
		return Context, true
	}
	return "", false
}

// defaultKeep is how many entries compress_context keeps by default.
const defaultKeep = 10

// Specs returns the descriptions of the ten tools in a language, always in the
// same order. create_role offers what there is to choose from. The schemas are for models:
// the rules read calls more leniently, and report all that is wrong.
func Specs(lang protocol.Lang, offer Offer) []tool.Spec {
	w := words{lang, offer}
	return []tool.Spec{
		w.createRole(), w.findRole(), w.listRoles(),
		w.spawnAgent(), w.terminateAgent(),
		w.sendMessage(), w.listContacts(), w.getOrg(),
		w.compressContext(), w.contextStatus(),
	}
}

// An Offer lists the models, the default first, the graphs, and the groups of tools beside
// those of the organisation that a role can be given.
type Offer struct {
	Models []Model
	Graphs []Graph
	Groups []Group
}

// A Group is a group of tools, with their names.
type Group struct {
	Name  tool.Group
	Tools []string
}

// A Graph is one that the turns of a role's agents can run through.
type Graph struct{ Name, Description string }

// A Model is one that agents can be given.
type Model struct {
	Name         string
	Capabilities []string
}

// words chooses the language of what a model reads.
type words struct {
	lang  protocol.Lang
	offer Offer
}

func (w words) say(english, chinese string) string {
	if w.lang == protocol.Chinese {
		return chinese
	}
	return english
}

func spec(name, purpose string, class tool.Class, arguments ...tool.Property) tool.Spec {
	group, _ := GroupOf(name) // a test checks that each has one
	return tool.Spec{Name: name, Purpose: purpose, Parameters: arguments, Class: class, Group: group}
}
