package httpapi

import (
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

type node struct {
	ID       string   `json:"id"`
	RoleName string   `json:"roleName"`
	State    string   `json:"state"`
	Depth    int      `json:"depth" jsonschema:"0 for root"`
	Children []string `json:"children"`
}

type tree struct {
	Agents []node `json:"agents" jsonschema:"each before those below it"`
}

func showTree(c *call, _ nothing) (*tree, error) {
	now, err := c.look()
	rows := now.Rows
	below := map[society.AgentID][]*api.Row{}
	for i := range rows {
		below[rows[i].Parent] = append(below[rows[i].Parent], &rows[i])
	}
	t := tree{Agents: []node{}}
	var add func(parent society.AgentID)
	add = func(parent society.AgentID) {
		for _, r := range below[parent] {
			n := node{string(r.ID), r.Role, string(r.State), r.Depth, []string{}}
			for _, child := range below[r.ID] {
				n.Children = append(n.Children, string(child.ID))
			}
			t.Agents = append(t.Agents, n)
			add(r.ID)
		}
	}
	add(society.User)
	return &t, err
}
