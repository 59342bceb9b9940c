package modelerror_test

import (
	"net"
	"os"
	"syscall"
	"testing"

	"society-tui/llm"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modelerror"
)

func TestErrorsOfTheWayAreWordedByTheirCode(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for want, e := range map[string]*llm.Error{
		"连不上 127.0.0.1:1：连接被拒绝":            {Code: llm.CodeUnreachable, Place: "127.0.0.1:1", Err: refused},
		"连不上 端点":                           {Code: llm.CodeUnreachable},
		"连不上 127.0.0.1:1（经由代理 p:8）":        {Code: llm.CodeUnreachable, Place: "127.0.0.1:1", Proxy: "p:8"},
		"找不到主机 nowhere.invalid":            {Code: llm.CodeHost, Place: "nowhere.invalid"},
		"代理连不上或不放行：连接被拒绝（经由代理 p:8）":        {Code: llm.CodeProxy, Err: refused, Proxy: "p:8"},
		"该地址不使用 TLS，base_url 可能应以 http 开头": {Code: llm.CodeTLS},
		"端点的证书不受信任":                        {Code: llm.CodeCertificate},
		"连接中断，没有得到完整回答":                    {Code: llm.CodeClosed},
		"端点太久没有发送数据":                       {Code: llm.CodeSilent},
		"端点要求改用另一个地址：https://b":            {Code: llm.CodeRedirect, Place: "https://b"},
	} {
		e.Text = "in English"
		if got := modelerror.Text(e); got != (i18n.Text{EN: "in English", ZH: want}) {
			t.Errorf("%s: %+v, want %q", e.Code, got, want)
		}
	}
}

func TestTheWordsOfAnEndpointStay(t *testing.T) {
	t.Parallel()
	for _, e := range []*llm.Error{
		{Class: llm.Overload, Text: "try later"},
		{Class: llm.Quota, Code: "insufficient_quota", Text: "no quota", Quotes: true},
		{Class: llm.Network, Code: llm.CodeUnreachable, Text: "the upstream is down", Quotes: true},
	} {
		if got := modelerror.Text(e); got != (i18n.Text{EN: e.Text, ZH: e.Text}) {
			t.Errorf("%+v: %+v", e, got)
		}
	}
}
