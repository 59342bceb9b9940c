package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
)

// ViaSocket marks the context of a request as one that came over the socket, whose other end
// is known to be the user's. Only such a request may answer approvals: a token can be read
// by whoever reads the user's files.
func ViaSocket(ctx context.Context) context.Context {
	return context.WithValue(ctx, viaSocket{}, true)
}

type viaSocket struct{}

// IsViaSocket reports whether ViaSocket has marked the context.
func IsViaSocket(ctx context.Context) bool { return ctx.Value(viaSocket{}) != nil }

// An Approval is a call of a tool that waits for the user's answer.
type Approval struct {
	ID        uint64     `json:"id"`
	AgentID   string     `json:"agentId"`
	TaskID    string     `json:"taskId,omitempty"`
	CallID    string     `json:"callId"`
	Tool      string     `json:"tool"`
	Paths     []string   `json:"paths,omitempty"`
	Calls     [][]string `json:"calls,omitempty" jsonschema:"the words of each call of a command, as rules compare them; none if no rule can allow it"`
	Host      string     `json:"host,omitempty" jsonschema:"that it asks"`
	Server    string     `json:"server,omitempty" jsonschema:"the MCP server that it asks"`
	Outside   bool       `json:"outside,omitempty" jsonschema:"it would run outside the sandbox"`
	Why       string     `json:"why,omitempty" jsonschema:"in the words of the agent"`
	Summary   string     `json:"summary,omitempty"`
	Preview   string     `json:"preview,omitempty" jsonschema:"what it would do, a diff or a text"`
	Cut       bool       `json:"cut,omitempty" jsonschema:"the preview goes on; GET /api/approvals/{id} returns all of it"`
	At        time.Time  `json:"at"`
	Mode      string     `json:"mode,omitempty" jsonschema:"that made it ask"`
	Rule      string     `json:"rule,omitempty" jsonschema:"that made it ask"`
	Protected bool       `json:"protected,omitempty" jsonschema:"it asks because of a protected path"`
	Given     bool       `json:"given,omitempty" jsonschema:"the user said yes; it begins when its agent is resumed"`
}

func approvalOf(a *api.Approval) Approval {
	v := Approval{
		ID: a.ID, AgentID: string(a.Agent), TaskID: string(a.Task), CallID: a.Call, Tool: a.Request.Tool, Summary: a.Summary,
		Preview: a.Preview, Cut: a.Cut, At: a.At, Mode: string(a.Mode), Rule: a.Rule, Protected: a.Protected, Given: a.Given,
		Host: a.Request.Target.Host, Server: a.Request.Target.Server, Outside: a.Request.Target.Outside, Why: a.Why,
	}
	if c := a.Request.Target.Command; c != nil && c.Plain {
		v.Calls = c.Calls
	}
	for _, p := range a.Request.Paths {
		v.Paths = append(v.Paths, p.Name)
	}
	return v
}

func (h *Handler) approvalRoutes() []route {
	type approvals struct {
		Approvals []Approval `json:"approvals" jsonschema:"the first asked first"`
	}
	type one struct {
		ID uint64 `path:"id" json:"-" doc:"of the request"`
	}
	type answer struct {
		ID      uint64   `path:"id" json:"-" doc:"of the request"`
		Answer  string   `json:"answer" jsonschema:"once, task (and the same call again in its task), deny, or rule"`
		Reason  string   `json:"reason,omitempty" jsonschema:"why it is denied, for the agent"`
		Tool    string   `json:"tool,omitempty" jsonschema:"of the rule: the tool"`
		Path    string   `json:"path,omitempty" jsonschema:"of the rule: a pattern of paths, with ** for any folders"`
		Words   []string `json:"words,omitempty" jsonschema:"of the rule: the first words of commands"`
		Exact   bool     `json:"exact,omitempty" jsonschema:"of the rule: the commands are these words and no more"`
		Host    string   `json:"host,omitempty" jsonschema:"of the rule: the computer that is asked"`
		Outside bool     `json:"outside,omitempty" jsonschema:"of the rule: outside the sandbox too"`
		Under   string   `json:"under,omitempty" jsonschema:"of the rule: only this agent and all below it"`
		Role    string   `json:"role,omitempty" jsonschema:"of the rule: only agents of this role, by its id"`
		Do      string   `json:"do,omitempty" jsonschema:"of the rule: allow or deny"`
	}
	type answered struct {
		Allowed []uint64 `json:"allowed"`
		Denied  []uint64 `json:"denied"`
		RuleID  uint64   `json:"ruleId,omitempty"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/approvals", http.StatusOK, "List the calls that wait for the user's yes", func(c *call, _ nothing) (*approvals, error) {
			list, err := h.cfg.Society.Approvals(c)
			all := approvals{Approvals: []Approval{}}
			for i := range list {
				all.Approvals = append(all.Approvals, approvalOf(&list[i]))
			}
			return &all, err
		}),
		routeJSON(h, http.MethodGet, "/api/approvals/{id}", http.StatusOK, "Show a call that waits, with the whole preview", func(c *call, in one) (*Approval, error) {
			a, err := h.cfg.Society.Approval(c, in.ID)
			v := approvalOf(&a)
			return &v, noApproval(err)
		}),
		routeJSON(h, http.MethodPost, "/api/approvals/{id}", http.StatusOK, "Answer a call that waits (over the socket only)", func(c *call, in answer) (*answered, error) {
			if !IsViaSocket(c) {
				return nil, &Error{Status: http.StatusForbidden, Code: CodeForbidden, Message: "approvals are answered on the screen or over the socket only"}
			}
			cmd := society.AnswerApproval{IDs: []uint64{in.ID}, Answer: society.ApprovalAnswer(in.Answer), Reason: in.Reason}
			if cmd.Answer == society.AnswerByRule {
				cmd.Rule = &approval.Rule{Tool: in.Tool, Path: in.Path, Words: in.Words, Exact: in.Exact, Host: in.Host, Outside: in.Outside, Under: in.Under, Role: in.Role, Do: approval.Verdict(in.Do), Why: in.Reason}
			}
			r, err := do(c, cmd)
			if err == nil && len(r.Gone) > 0 {
				err = noApproval(api.ErrNoApproval)
			}
			return &answered{append([]uint64{}, r.Allowed...), append([]uint64{}, r.Denied...), r.Rule}, err
		}),
	}
}

// noApproval returns the error of a request that does not wait.
func noApproval(err error) error {
	if errors.Is(err, api.ErrNoApproval) {
		return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "this request does not wait any more"}
	}
	return err
}
