package society

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// A Mistake is something that is wrong with a template.
type Mistake struct {
	// Where it is: "roles[0].name" or "agents[2]", "" for the template as a whole.
	Where string
	Why   error
}

// In returns the mistake in a language, with its place.
func (m Mistake) In(lang protocol.Lang) string {
	if m.Where == "" {
		return i18n.Error(lang, m.Why)
	}
	return textAt.With(m.Where, m.Why).In(lang)
}

// Mistakes are all that is wrong with a template.
type Mistakes []Mistake

// In returns the mistakes in a language, on one line.
func (m Mistakes) In(lang protocol.Lang) string {
	texts := make([]string, len(m))
	for i := range m {
		texts[i] = m[i].In(lang)
	}
	return strings.Join(texts, "; ")
}

// Mistakes returns what is wrong with a template in every society. Its roles may name
// the tool groups in groups, and its own graphs and those in graphs; nil allows any
// name. AddTeam also checks caps and models.
func (c AddTeam) Mistakes(groups []tool.Group, graphs []string) Mistakes {
	p := teamPlan{AddTeam: c}
	p.checkGraphs()
	if graphs != nil {
		p.checkNames(graphs)
	}
	p.checkRoles(groups)
	p.checkAgents()
	p.checkTree()
	p.checkBriefs()
	return p.mistakes
}

// A teamPlan is a template while it is checked and added.
type teamPlan struct {
	AddTeam
	mistakes Mistakes
	as       []string       // by which each agent is spoken of
	byName   map[string]int // agents
	graphs   map[string]*graph.Definition
	roles    map[string]int   // by their names
	parents  []int            // of each agent; -1 for root
	depths   []int            // below root
	briefs   []protocol.Brief // as they were read
}

const underRoot = -1

func (p *teamPlan) wrong(where string, why error) {
	p.mistakes = append(p.mistakes, Mistake{where, why})
}

func (p *teamPlan) checkRoles(groups []tool.Group) {
	p.roles = map[string]int{}
	if p.Template == "" {
		p.wrong("name", textNameless.With())
	}
	if len(p.Roles)+len(p.Agents) == 0 {
		p.wrong("", textNothing.With())
	}
	for i, r := range p.Roles {
		where := fmt.Sprintf("roles[%d]", i)
		if err := protocol.CheckRoleName(r.Name); err != nil {
			p.wrong(where+".name", textAt.With(strconv.Quote(r.Name), err))
		}
		if first, twice := p.roles[r.Name]; twice {
			p.wrong(where+".name", textRoleTwice.With(first, r.Name))
		} else {
			p.roles[r.Name] = i
		}
		if strings.TrimSpace(r.Prompt) == "" {
			p.wrong(where+".prompt", textNoPrompt.With())
		}
		if err := givable(r.Tools, groups); err != nil {
			p.wrong(where+".tools", err)
		}
	}
}

// givable returns what is wrong with the tool groups of a template's role.
func givable(wanted, groups []tool.Group) *protocol.Reason {
	if groups == nil {
		return nil
	}
	s := State{groups: map[string]tool.Group{}}
	for _, g := range groups {
		s.groups[string(g)] = g
	}
	_, why := s.groupsOf(wanted)
	return why
}

func (p *teamPlan) checkAgents() {
	p.byName = map[string]int{}
	for i, a := range p.Agents {
		where := fmt.Sprintf("agents[%d]", i)
		if _, ok := p.roles[a.Role]; !ok {
			p.wrong(where+".role", textNoRole.With(a.Role))
		}
		as, from := a.As, ".as"
		if as == "" {
			as, from = a.Role, ".role"
		}
		p.as = append(p.as, as)
		if as == "" {
			continue // said above
		}
		if err := protocol.CheckRoleName(as); err != nil {
			p.wrong(where+from, textAt.With(strconv.Quote(as), err))
		}
		if first, twice := p.byName[as]; twice {
			p.wrong(where+".as", textAgentTwice.With(first, as))
			continue
		}
		p.byName[as] = i
	}
}

// checkTree finds the parents, and those who are their own ancestors.
func (p *teamPlan) checkTree() {
	p.parents, p.depths = make([]int, len(p.Agents)), make([]int, len(p.Agents))
	for i, a := range p.Agents {
		p.parents[i] = underRoot
		if a.Parent == "" || a.Parent == string(Root) {
			continue
		}
		parent, ok := p.byName[a.Parent]
		if !ok {
			p.wrong(fmt.Sprintf("agents[%d].parent", i), textNoParent.With(a.Parent))
			continue
		}
		p.parents[i] = parent
	}
	told := map[int]bool{} // in a circle that was named
	for i := range p.Agents {
		path := []int{i}
		for at := p.parents[i]; at != underRoot && !told[at]; at = p.parents[at] {
			if from := slices.Index(path, at); from >= 0 {
				var names []string
				for _, n := range append(path[from:], at) {
					told[n] = true
					names = append(names, p.as[n])
				}
				p.wrong(fmt.Sprintf("agents[%d].parent", at), textCircle.With(strings.Join(names, " < ")))
				break
			}
			path = append(path, at)
		}
		p.depths[i] = len(path)
	}
}

func (p *teamPlan) checkBriefs() {
	there := func(as string) bool { _, ok := p.byName[as]; return ok || as == string(Root) }
	p.briefs = make([]protocol.Brief, len(p.Agents))
	for i, a := range p.Agents {
		brief, bad := protocol.ParseBrief(protocol.English, a.Brief, there)
		p.briefs[i] = brief
		if bad == nil {
			continue
		}
		where := fmt.Sprintf("agents[%d]", i)
		if len(bad.MissingFields) > 0 {
			p.wrong(where, textBriefLacks.With(i18n.List(bad.MissingFields)))
		}
		_, same := protocol.ParseBrief(protocol.Chinese, a.Brief, there)
		for n, said := range bad.Errors {
			p.wrong(where, i18n.Text{
				EN: strings.ReplaceAll(said, "get_org lists those there are", "name one of this template, or root"),
				ZH: strings.ReplaceAll(same.Errors[n], "可用 get_org 查看现有的智能体", "请写此模板中的智能体，或 root"),
			}.With())
		}
	}
}

// checkRoom holds the template against the caps, but for that on spawns in a minute,
// which contains runaways: the user is none.
func (p *teamPlan) checkRoom(s *State) {
	l := s.limits
	if n := len(s.agents) + len(p.Agents); n > l.Agents {
		p.wrong("", textTooMany.With(n, l.Agents))
	}
	children := map[int]int{underRoot: len(s.agents[Root].children)}
	for i, parent := range p.parents {
		children[parent]++
		if p.depths[i] > l.Depth {
			p.wrong(fmt.Sprintf("agents[%d]", i), textTooDeep.With(p.as[i], p.depths[i], l.Depth))
		}
	}
	for i := underRoot; i < len(p.Agents); i++ {
		if children[i] > l.Children {
			name := string(Root)
			if i != underRoot {
				name = p.as[i]
			}
			p.wrong("", textTooManyBelow.With(name, children[i], l.Children))
		}
	}
}

// checkModels checks that the models of all roles exist.
func (p *teamPlan) checkModels(s *State) {
	for i, r := range p.Roles {
		if err := s.checkModel(r.Model, r.Capability); err != nil {
			field := "model"
			if r.Model == "" {
				field = "capability"
			}
			p.wrong(fmt.Sprintf("roles[%d].%s", i, field), err)
		}
	}
}

// checkGraphs finds the mistakes in the template's own graphs.
func (p *teamPlan) checkGraphs() {
	p.graphs = map[string]*graph.Definition{}
	for i := range p.Graphs {
		g := &p.Graphs[i]
		where := fmt.Sprintf("graphs[%d]", i)
		if p.graphs[g.Name] != nil {
			p.wrong(where+".name", textGraphTwice.With(g.Name))
		}
		p.graphs[g.Name] = g
		var mistakes graph.Mistakes
		if errors.As(g.Validate(graph.Funcs{}), &mistakes) {
			for _, m := range mistakes {
				p.wrong(strings.TrimSuffix(where+"."+m.Part, "."), m)
			}
		}
	}
}

// checkLibrary checks that the graphs of all roles exist, and what the nodes of the
// template's own ask for.
func (p *teamPlan) checkLibrary(s *State) {
	for i := range p.Graphs {
		for _, u := range s.MissingRequirements(&p.Graphs[i]) {
			p.wrong(fmt.Sprintf("graphs[%d]", i), textOfGraph.With(p.Graphs[i].Name, u.why(s)))
		}
	}
	for i, r := range p.Roles {
		if p.graphs[r.Graph] == nil {
			if _, err := s.namedGraph(r.Graph); err != nil {
				p.wrong(fmt.Sprintf("roles[%d].graph", i), err)
			}
		}
	}
}

// checkNames holds the same of the names alone, where there is no society.
func (p *teamPlan) checkNames(graphs []string) {
	for i, r := range p.Roles {
		if r.Graph != "" && p.graphs[r.Graph] == nil && !slices.Contains(graphs, r.Graph) {
			p.wrong(fmt.Sprintf("roles[%d].graph", i), noGraph(r.Graph, graphs))
		}
	}
}

// graphNamed is the graph that a role of a template names, and whether it is the
// template's own; it was found before.
func (d *decision) graphNamed(c AddTeam, name string) (def *graph.Definition, own bool) {
	for i := range c.Graphs {
		if c.Graphs[i].Name == name && name != "" {
			return &c.Graphs[i], true
		}
	}
	def, _ = d.s.namedGraph(name)
	return def, false
}

// addTeam makes the roles and agents of a template.
func (d *decision) addTeam(c AddTeam) (AddTeamResult, error) {
	if d.s.Empty() {
		return AddTeamResult{}, refuse(InvalidArguments, Root, protocol.NotFounded)
	}
	result := AddTeamResult{Before: d.s.counters.Teams[c.Template]}
	if c.Once && result.Before > 0 {
		return result, nil
	}
	p := teamPlan{AddTeam: c}
	p.checkGraphs()
	p.checkRoles(d.s.Groups())
	p.checkAgents()
	p.checkTree()
	p.checkBriefs()
	if len(p.mistakes) == 0 {
		p.checkRoom(d.s)
	}
	p.checkModels(d.s)
	p.checkLibrary(d.s)
	if len(p.mistakes) > 0 {
		refusal := refuse(InvalidArguments, "", protocol.TemplateRefused, c.Template, p.mistakes)
		refusal.Mistakes = p.mistakes
		return AddTeamResult{}, refusal
	}
	if r := d.tooLarge("", p.size()); r != nil {
		return AddTeamResult{}, r
	}
	if d.s.isolated && len(c.Worktrees) != len(c.Agents) {
		return AddTeamResult{}, refuse(NoWorktree, "", protocol.WorktreeFailed, d.say(protocol.WorktreeMissing))
	}
	order := d.s.counters.Order
	roles := d.addTeamRoles(c, &order, &result)
	d.addTeamAgents(&p, roles, order, &result)
	d.add(TeamAdded{Template: c.Template, Agents: result.Agents})
	return result, nil
}

func (p *teamPlan) size() int {
	n := 0
	for _, r := range p.Roles {
		n += len(r.Prompt)
	}
	for _, a := range p.Agents {
		n += len(a.Brief)
	}
	return n
}

// addTeamRoles finds or makes the roles of a template, in its order.
func (d *decision) addTeamRoles(c AddTeam, order *uint64, result *AddTeamResult) []*Role {
	roles := make([]*Role, len(c.Roles))
	making := map[RoleID]bool{}
	for i, r := range c.Roles {
		tools, _ := d.s.groupsOf(r.Tools) // checkRoles has looked at the error
		made := &Role{
			Name: r.Name, Prompt: r.Prompt, Interface: r.Interface, Tools: tools, Model: r.Model, Capability: r.Capability,
			CreatedBy: User, CreatedAt: d.at, Template: c.Template,
		}
		made.Graph, made.OwnGraph = d.graphNamed(c, r.Graph)
		if there := d.sameRole(made); there != nil {
			roles[i] = there
			result.Reused = append(result.Reused, there.ID)
			continue
		}
		*order++
		made.ID, made.Order = d.roleID(r.Name, making), *order
		making[made.ID] = true
		roles[i] = made
		result.Made = append(result.Made, made.ID)
		d.add(RoleMade{Role: *made})
	}
	return roles
}

// sameRole returns the oldest role that an agent could not tell from r, nil if
// there is none.
func (d *decision) sameRole(r *Role) *Role {
	for _, there := range d.s.Roles() {
		if there.ID != d.s.agents[Root].Role && there.Name == r.Name && there.Prompt == r.Prompt && there.Model == r.Model && there.Capability == r.Capability &&
			(there.Tools == nil) == (r.Tools == nil) && slices.Equal(there.Tools, r.Tools) &&
			payloadOf(there.Interface) == payloadOf(r.Interface) && payloadOf(there.Graph) == payloadOf(r.Graph) && there.OwnGraph == r.OwnGraph {
			return there
		}
	}
	return nil
}

// addTeamAgents makes the agents of a template, parents before children, and then
// makes them known to each other: by then each has its id.
func (d *decision) addTeamAgents(p *teamPlan, roles []*Role, order uint64, result *AddTeamResult) {
	of := func(i int) *Role { return roles[p.roles[p.Agents[i].Role]] }
	ids := make([]AgentID, len(p.Agents))
	used := map[string]uint64{}
	var made []AgentMade
	for _, i := range p.fromTheTop() {
		slug := protocol.Slug(of(i).Name)
		if slug == protocol.NoSlug { // the name has no letter that an id can have
			slug = protocol.Slug(p.as[i])
		}
		used[slug]++
		order++
		num := d.s.counters.Names[slug] + used[slug]
		ids[i] = AgentID(fmt.Sprintf("%s-%d", slug, num))
		parent := Root
		if p.parents[i] != underRoot {
			parent = ids[p.parents[i]]
		}
		result.Agents = append(result.Agents, ids[i])
		worktree := ""
		if i < len(p.Worktrees) {
			worktree = p.Worktrees[i]
		}
		made = append(made, AgentMade{
			Agent: Agent{
				ID: ids[i], Role: of(i).ID, Parent: parent, Depth: p.depths[i], Order: order,
				Created: d.at, Since: d.at, Status: Idle, Template: p.Template, Worktree: worktree,
			},
			Brief: &p.briefs[i], Slug: slug, Num: num,
		})
	}
	for i := range p.briefs {
		for n := range p.briefs[i].Collaborators {
			c := &p.briefs[i].Collaborators[n]
			at, ok := p.byName[c.AgentID]
			if !ok {
				continue // root
			}
			c.AgentID, c.Role = string(ids[at]), of(at).Name
		}
	}
	for _, m := range made {
		m.Agent.Doing = firstLine(protocol.Payload{Brief: m.Brief})
		m.Agent.Purpose = m.Agent.Doing
		d.add(m)
	}
	for _, i := range p.fromTheTop() {
		d.addTeamContacts(p, i, ids, of)
	}
}

// addTeamContacts makes an agent and its parent known to each other, and the
// collaborators of its brief known to the agent. The parent gets the child's purpose,
// because it did not write its brief.
func (d *decision) addTeamContacts(p *teamPlan, i int, ids []AgentID, of func(int) *Role) {
	contact := func(at int, source protocol.Source) protocol.Contact {
		if at == underRoot {
			return d.contact(Root, source, "")
		}
		return protocol.Contact{
			ID: string(ids[at]), Role: of(at).Name, InterfaceSpec: of(at).Interface, Source: source, AddedAt: d.at,
		}
	}
	parent := Root
	if p.parents[i] != underRoot {
		parent = ids[p.parents[i]]
	}
	d.add(ContactAdded{Agent: ids[i], Contact: contact(p.parents[i], protocol.Parent)})
	child := contact(i, protocol.Child)
	child.Description = oneLine(p.briefs[i].Objective)
	d.add(ContactAdded{Agent: parent, Contact: child})
	for _, c := range p.briefs[i].Collaborators {
		at := slices.Index(ids, AgentID(c.AgentID))
		if AgentID(c.AgentID) == parent || at == i {
			continue
		}
		other := contact(at, protocol.Preset) // -1 is root here too
		other.Description = oneLine(c.Description)
		if c.InterfaceSpec != nil {
			other.InterfaceSpec = c.InterfaceSpec
		}
		d.add(ContactAdded{Agent: ids[i], Contact: other})
	}
}

// fromTheTop are the agents, parents before children, otherwise in the order of
// the template.
func (p *teamPlan) fromTheTop() []int {
	order := make([]int, len(p.Agents))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.depths[a] - p.depths[b] })
	return order
}

// longestDescription limits the description that a contact keeps, in bytes.
const longestDescription = 400

// oneLine returns a text as one short line, for a contact's description.
func oneLine(text string) string {
	return clip(strings.Join(strings.Fields(text), " "), longestDescription)
}
