package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/runtime/sandbox"
)

// The servers of the tests are this program, started again with the argument serve.
func TestMain(m *testing.M) {
	sandbox.Main()
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		serve(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// serve is a server on standard input and output.
func serve(args []string) {
	switch args[0] {
	case "exits":
		fmt.Fprintln(os.Stderr, "cannot find \x1b[31mmodule\x1b[0m")
		os.Exit(3)
	case "hangs": // and neither hears TERM nor the end of its input
		signal.Ignore(syscall.SIGTERM)
		select {}
	case "answers":
		answer(args[1])
		return
	case "keeps": // a host of servers that is to be killed
		keep(args[1])
		return
	case "greets":
		fmt.Println("Welcome!\n  listening on stdio")
	case "floods":
		go func() {
			for line := strings.Repeat("x", 1000) + "\n"; ; {
				fmt.Fprint(os.Stderr, line)
			}
		}()
	case "forks": // children, one of them in a session of its own
		for _, command := range [][]string{{"sleep", args[1]}, {"setsid", "sleep", args[1]}} {
			if err := exec.Command(command[0], command[1:]...).Start(); err != nil {
				panic(err)
			}
		}
	}
	in := bufio.NewReader(os.Stdin)
	first := []byte{}
	if args[0] == "old" { // as those of the Rust SDK were
		first, _ = in.ReadBytes('\n')
		if bytes.Contains(first, []byte("server/discover")) {
			fmt.Fprintln(os.Stderr, "expected an initialize request")
			os.Exit(1)
		}
	}
	transport := &sdk.IOTransport{Reader: io.NopCloser(io.MultiReader(bytes.NewReader(first), in)), Writer: os.Stdout}
	_ = newTestServer(args).Run(context.Background(), transport)
}

// newTestServer returns a server with tools for all that is tried.
func newTestServer(args []string) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "tester", Title: "Tester", Version: "1.0"}, nil)
	type text struct {
		Text string `json:"text"`
	}
	add := func(name, description string, readOnly bool, act func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error)) {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: description, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: readOnly}},
			func(ctx context.Context, r *sdk.CallToolRequest, in text) (*sdk.CallToolResult, any, error) {
				result, err := act(ctx, r, in)
				return result, nil, err
			})
	}
	said := func(content ...sdk.Content) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: content}, nil
	}
	if args[0] == "many" {
		for i := range 500 {
			add(fmt.Sprintf("tool%03d", i), "One of many.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) { return said() })
		}
		return server
	}
	echo := func(_ context.Context, _ *sdk.CallToolRequest, in text) (*sdk.CallToolResult, error) {
		return said(&sdk.TextContent{Text: "echo: " + in.Text})
	}
	add("echo", "Says it again.", true, echo)
	add("dies", "Ends the server.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		os.Exit(7)
		return nil, nil
	})
	add("fails", "Fails.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		return nil, fmt.Errorf("no such account")
	})
	add("waits", "Waits until it is cancelled.", false, func(ctx context.Context, _ *sdk.CallToolRequest, _ text) (*sdk.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "waiting")
		<-ctx.Done()
		fmt.Fprintln(os.Stderr, "was cancelled")
		return nil, ctx.Err()
	})
	add("works", "Tells how far it is, and takes longer than a silent call may.", false, func(ctx context.Context, r *sdk.CallToolRequest, _ text) (*sdk.CallToolResult, error) {
		for i := range 8 {
			time.Sleep(100 * time.Millisecond)
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Message: fmt.Sprintf("step %d", i)})
		}
		return said(&sdk.TextContent{Text: "done"})
	})
	add("large", "Answers with 10 MB.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		return said(&sdk.TextContent{Text: strings.Repeat("0123456789", 1_000_000)})
	})
	add("parts", "Answers with everything.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		return said(&sdk.TextContent{Text: "a text"}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte("first")}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte("second")},
			&sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("...")}, &sdk.ResourceLink{URI: "https://example.com/a", Name: "A"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///b", Text: "inside"}})
	})
	add("environment", "Tells its environment.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		dir, _ := os.Getwd()
		return said(&sdk.TextContent{Text: strings.Join(append(os.Environ(), "dir="+dir), "\n")})
	})
	add("asks", "Asks the user.", false, func(ctx context.Context, r *sdk.CallToolRequest, _ text) (*sdk.CallToolResult, error) {
		if r.Params.InputResponses == nil && r.Session.InitializeParams() != nil && r.Session.InitializeParams().ProtocolVersion >= "2026-07-28" {
			return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"q": &sdk.ElicitParams{Message: "Which account?"}}}, nil
		}
		if answer, ok := r.Params.InputResponses["q"].(*sdk.ElicitResult); ok {
			return said(&sdk.TextContent{Text: "answer: " + answer.Action})
		}
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Which account?"})
		if err != nil {
			return nil, err
		}
		return said(&sdk.TextContent{Text: "answer: " + answer.Action})
	})
	add("changes", "Changes the tools of the server.", false, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, error) {
		add("new", "A new tool.", false, echo)
		add("echo", "Says it again, louder.", true, echo)
		server.RemoveTools("fails")
		return said(&sdk.TextContent{Text: "changed"})
	})
	return server
}

// strangeMessages leave out what they are about.
const strangeMessages = `{"jsonrpc":"2.0","id":"q1","method":"elicitation/create"}
{"jsonrpc":"2.0","id":"q2","method":"elicitation/create","params":null}
{"jsonrpc":"2.0","id":"q3","method":"roots/list"}
{"jsonrpc":"2.0","id":"q4","method":"sampling/createMessage","params":null}
{"jsonrpc":"2.0","method":"notifications/elicitation/complete"}
{"jsonrpc":"2.0","method":"notifications/cancelled"}
{"jsonrpc":"2.0","method":"notifications/progress","params":null}
{"jsonrpc":"2.0","method":"notifications/message","params":null}
{"jsonrpc":"2.0","method":"notifications/resources/updated"}
{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":null}
{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`

// answer is a server without the SDK, which would not send what it is to send: it has the tools
// of an argument, and answers every call with its arguments.
func answer(tools string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var r struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments json.RawMessage }
		}
		if json.Unmarshal(in.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": r.ID}
		switch r.Method {
		case "initialize":
			reply["result"] = json.RawMessage(`{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"0"}}`)
		case "tools/list":
			reply["result"] = map[string]any{"tools": json.RawMessage(tools)}
		case "tools/call":
			for _, strange := range strings.Split(strangeMessages, "\n") {
				fmt.Println(strange)
			}
			reply["result"] = map[string]any{"content": []any{map[string]any{"type": "text", "text": string(r.Params.Arguments)}}}
		default:
			reply["error"] = map[string]any{"code": -32601, "message": "not found"}
		}
		line, err := json.Marshal(reply)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
}

// keep runs a set with a server that forks, and prints when it is ready.
func keep(seconds string) {
	set := New(Config{Servers: []Server{{Name: "a", Command: os.Args[0], Args: []string{"serve", "forks", seconds}}}, Environ: os.Environ()})
	set.Run(context.Background(), func() {
		if len(set.Tools()) > 0 {
			fmt.Println("ready")
		}
	})
}
