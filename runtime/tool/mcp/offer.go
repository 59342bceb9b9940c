package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/runtime/api"
	"society-tui/runtime/tool"
)

// list asks a server for its tools and takes those that agents can be offered.
func (s *server) list(ctx context.Context, live *session) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.set.times.start, textNoTools.With(s.set.times.start))
	defer cancel()
	var all []*sdk.Tool
	seen := map[string]bool{}
	for cursor := ""; len(all) < mostListed; {
		page, err := live.client.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return err
		}
		all = append(all, page.Tools...)
		if cursor = page.NextCursor; cursor == "" || seen[cursor] {
			break
		}
		seen[cursor] = true
	}
	var tools []*remote
	var told []api.ServerTool
	if err := s.guarded(func() error {
		tools, told = s.offer(all[:min(len(all), mostListed)])
		return nil
	}); err != nil {
		return err
	}
	s.mu.Lock()
	same := slices.EqualFunc(s.tools, tools, func(a, b *remote) bool { return a.identity == b.identity }) && slices.Equal(s.told, told)
	if !same {
		s.tools, s.told = tools, told
	}
	s.mu.Unlock()
	if !same {
		s.set.tell()
	}
	return nil
}

// offer returns the tools of a server that agents can be offered, by their names, and what the
// user is told of all of them, in the server's order.
func (s *server) offer(all []*sdk.Tool) (tools []*remote, told []api.ServerTool) {
	byName := map[string]string{}
	for _, t := range all {
		if t == nil {
			continue
		}
		shown := api.ServerTool{Tool: line(t.Name, 200), Purpose: clean(t.Description, descriptionBytes)}
		made, left, detail := s.remote(t)
		switch other, taken := byName[made.spec.Name]; {
		case left == "" && taken:
			left, detail = api.LeftCollision, other
		case left == "" && len(tools) == api.MostServerTools:
			left = api.LeftTooMany
		}
		if shown.Left, shown.Detail = left, line(detail, 300); left == "" {
			byName[made.spec.Name] = shown.Tool
			shown.Name, shown.ReadOnly = made.spec.Name, made.spec.Class == tool.ClassRead
			tools = append(tools, made)
		}
		told = append(told, shown)
	}
	slices.SortFunc(tools, func(a, b *remote) int { return strings.Compare(a.spec.Name, b.spec.Name) })
	return tools, told
}

// remote makes a tool for agents of one of the server's, or returns why that is not possible.
func (s *server) remote(t *sdk.Tool) (made *remote, left api.LeftReason, detail string) {
	made = &remote{server: s, own: t.Name}
	made.spec = tool.Spec{Name: toolName(s.cfg.Name, t.Name), Class: tool.ClassMCP, Group: Group(s.cfg.Name)}
	if made.spec.Name == "" {
		return made, api.LeftName, ""
	}
	raw, err := json.Marshal(t.InputSchema)
	if err == nil && len(raw) > 16*schemaBytes {
		return made, api.LeftTooLarge, ""
	}
	if err == nil {
		made.spec.Parameters, err = parameters(t.InputSchema)
	}
	if err != nil {
		return made, api.LeftSchema, err.Error()
	}
	if len(made.spec.Schema()) > schemaBytes {
		return made, api.LeftTooLarge, ""
	}
	if made.spec.Purpose = clean(t.Description, descriptionBytes); made.spec.Purpose == "" {
		made.spec.Purpose = line(t.Title, descriptionBytes)
	}
	if s.cfg.Trusted && t.Annotations != nil && t.Annotations.ReadOnlyHint {
		made.spec.Class = tool.ClassRead
	}
	made.identity = s.identity(t, raw)
	return made, "", ""
}

// identity tells a tool of a server from any other that could stand under its name: another
// program, another description, another schema.
func (s *server) identity(t *sdk.Tool, schema []byte) string {
	raw, err := json.Marshal([]any{s.cfg.Name, s.cfg.Command, s.cfg.Args, s.cfg.URL, s.cfg.Env, t.Name, t.Title, t.Description, json.RawMessage(schema)})
	if err != nil {
		panic(fmt.Sprintf("mcp: texts cannot be encoded: %v", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
