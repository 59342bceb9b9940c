// Package modelerror puts the errors of models into words.
package modelerror

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"syscall"

	"society-tui/llm"
	"society-tui/runtime/i18n"
)

// Text returns the text of an error. In English it is the error's own. In Chinese what the
// program itself found on the way to an endpoint is worded by its code; the words of an
// endpoint stay as they are.
func Text(e *llm.Error) i18n.Text {
	return i18n.Text{EN: e.Text, ZH: cmp.Or(inChinese(e), e.Text)}
}

// inChinese words an error of one of the codes of llm, "" for any other.
func inChinese(e *llm.Error) string {
	form, known := chinese[e.Code]
	if !known || e.Quotes {
		return ""
	}
	said := fmt.Sprintf(form, cmp.Or(e.Place, "端点"))
	if why := reason(e.Err); why != "" {
		said += "：" + why
	}
	if e.Proxy != "" {
		said += "（经由代理 " + e.Proxy + "）"
	}
	return said
}

// chinese has the place of the error as its argument.
var chinese = map[string]string{
	llm.CodeHost:        "找不到主机 %s",
	llm.CodeUnreachable: "连不上 %s",
	llm.CodeProxy:       "代理连不上或不放行%.0s",
	llm.CodeTLS:         "该地址不使用 TLS，base_url 可能应以 http 开头%.0s",
	llm.CodeCertificate: "端点的证书不受信任%.0s",
	llm.CodeClosed:      "连接中断，没有得到完整回答%.0s",
	llm.CodeSilent:      "端点太久没有发送数据%.0s",
	llm.CodeRedirect:    "端点要求改用另一个地址：%s",
}

// reason returns what the system said of a connection, "" if it said nothing more.
func reason(err error) string {
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return known.text
		}
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err.Error()
	}
	return ""
}

var reasons = []struct {
	err  error
	text string
}{
	{syscall.ECONNREFUSED, "连接被拒绝"},
	{syscall.ECONNRESET, "连接被重置"},
	{syscall.ETIMEDOUT, "超时"},
	{os.ErrDeadlineExceeded, "超时"},
	{syscall.EHOSTUNREACH, "没有到主机的路由"},
	{syscall.ENETUNREACH, "网络不可达"},
}
