package tui

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// The table of routes is generated from the document of the API: -update writes it.
func TestDocsListEveryRouteOfTheAPI(t *testing.T) {
	t.Parallel()
	routes := routesOf(t)
	for lang, folder := range map[protocol.Lang]string{protocol.English: "docs/", protocol.Chinese: "docs/zh/"} {
		d := tables{newApp(context.Background(), Config{Lang: lang}, (*app).newFeatures)}
		var rows [][]string
		for _, r := range routes {
			summary := i18n.Text{EN: r.summary, ZH: routesInChinese[r.summary]}
			if summary.ZH == "" {
				t.Errorf("the route %q has no text in Chinese", r.summary)
			}
			rows = append(rows, []string{mono(r.name), d.text(summary)})
		}
		upToDate(t, folder+"api.md", "routes", d.table(rows, headRoute, headDoes))
	}
}

var headRoute = i18n.Text{EN: "Route", ZH: "路由"}

type docRoute struct{ name, summary, order string }

// routesOf returns the routes of a handler that has all of them.
func routesOf(t *testing.T) (routes []docRoute) {
	t.Helper()
	h, err := httpapi.New(httpapi.Config{
		Society: struct{ httpapi.Society }{}, Log: slog.New(slog.DiscardHandler), Metrics: http.NotFoundHandler(),
		Watch:  func() (api.Watcher, func()) { return nil, nil },
		Export: func(context.Context, io.Writer, society.AgentID, string) error { return nil },
		Backup: func(context.Context, io.Writer) error { return nil },
		Quit:   func(bool) {},
		Models: struct{ api.ModelSetup }{},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/openapi.json", nil))
	var document struct {
		Paths map[string]map[string]struct {
			Summary    string
			Parameters []struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			name := strings.ToUpper(method) + " " + path
			var query []string
			for _, p := range operation.Parameters {
				if p.In == "query" {
					query = append(query, p.Name)
				}
			}
			if len(query) > 0 {
				name += "?" + strings.Join(query, "&")
			}
			routes = append(routes, docRoute{name, operation.Summary, path + " " + method})
		}
	}
	slices.SortFunc(routes, func(a, b docRoute) int { return strings.Compare(a.order, b.order) })
	return routes
}

// routesInChinese are the summaries of the document, which is English.
var routesInChinese = map[string]string{
	"List the models with what is known of them":                          "列出模型及其已知信息",
	"Ask the endpoints again what models they have and what those can do": "重新询问各端点有哪些模型、能做什么",
	"Have a model of the settings answer a short request with a tool":     "让设置中的一个模型用工具回答一个简短的请求",
	"List the budgets with what is spent of them":                         "列出预算及其已用部分",
	"List the agents":    "列出智能体",
	"Create an agent":    "创建智能体",
	"Show this document": "本接口的 OpenAPI 文档",
	"Show an agent with its brief, contacts and tools":                                           "一个智能体及其任务说明、联系人和工具",
	"Read an agent's conversation":                                                               "智能体的对话",
	"Read the answer that an agent is giving":                                                    "智能体正在给出的回答；没有时为 204",
	"Abort an agent's call in flight, and ask it something else":                                 "中断智能体进行中的调用，并向它提出别的内容",
	"Set an agent's conversation aside from one of your messages on; one at work is interrupted": "从你的某条消息起搁置智能体的对话；正在工作的会先被中断",
	"Create an agent with a copy of an agent's conversation and contacts":                        "创建一个带有某智能体的对话与联系人副本的智能体",
	"Compress the context of an agent at rest, and wait until that is done":                      "压缩空闲智能体的上下文，并等待完成",
	"Pause an agent after its current step":                                                      "在当前步骤后暂停智能体",
	"Resume an agent and all below it":                                                           "恢复智能体及其下级",
	"Stop an agent and all below it":                                                             "停止智能体及其下级",
	"Terminate an agent and all below it, and erase what was theirs":                             "终止智能体及其下级，并清除其数据",
	"Back the session up":                                                                        "备份会话",
	"Stream events":                                                                              "事件流",
	"Export the session":                                                                         "导出会话",
	"Say who answers":                                                                            "程序的版本",
	"List the messages to the user in a task, as they came":                                      "任务中给你的消息，按到达顺序",
	"End the program as a signal would":                                                          "像收到信号一样结束程序",
	"List the roles":                                                                             "列出角色",
	"Send a message to an agent":                                                                 "向智能体发送消息",
	"Begin a task with a request to root":                                                        "向 root 提出请求，开始一个任务",
	"List the tasks, oldest first":                                                               "列出任务，最早的在前",
	"List the calls that wait for the user's yes":                                                "列出等待用户同意的调用",
	"Show a call that waits, with the whole preview":                                             "查看等待中的调用及完整预览",
	"Answer a call that waits (over the socket only)":                                            "答复等待中的调用（仅限套接字）",
	"Show a task": "一个任务",
	"Wait until nobody works on a task, or the timeout":                      "等到任务无人处理或超时",
	"List what happened: ids and kinds, no texts":                            "发生过什么：编号与种类，不含文字",
	"List the artifacts":                                                     "列出产出",
	"Show an artifact with its versions":                                     "查看一项产出及其各个版本",
	"Read an artifact":                                                       "读取一项产出的内容",
	"List which agent changed which file":                                    "列出哪个智能体修改了哪个文件",
	"Show a change of a file with its diff":                                  "查看文件的一处更改及其差异",
	"Take changes of files back (over the socket only)":                      "撤销对文件的更改（仅限套接字）",
	"List the git worktrees of agents":                                       "列出智能体的 git 工作树",
	"Read what was changed in a worktree, as git apply reads it":             "读取工作树中的更改，可用 git apply 应用",
	"Drop a worktree with all that was changed in it (over the socket only)": "丢弃工作树及其中的全部更改（仅限套接字）",
	"Read what the running calls of an agent have written":                   "智能体正在执行的调用目前的输出",
	"End a background process of an agent":                                   "结束智能体的后台进程",
	"Show what holds in the commands of agents":                              "智能体的命令受到哪些限制（沙箱）",
	"List the MCP servers with their tools":                                  "列出 MCP 服务器及其工具",
	"Read the end of what an MCP server has written to its standard error":   "读取 MCP 服务器标准错误输出的末尾",
	"Start an MCP server (over the socket only)":                             "启动 MCP 服务器（仅限套接字）",
	"Stop an MCP server (over the socket only)":                              "停止 MCP 服务器（仅限套接字）",
	"Restart an MCP server (over the socket only)":                           "重启 MCP 服务器（仅限套接字）",
	"Show who is below whom":                                                 "谁在谁之下",
	"Show what was spent":                                                    "用量",
	"Show measurements for Prometheus":                                       "供 Prometheus 使用的度量",
}
