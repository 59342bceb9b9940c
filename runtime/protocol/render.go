package protocol

import (
	"fmt"
	"strings"
	"unicode"
)

// A Sender is the agent that the runtime names in a message's first line.
type Sender struct{ ID, Role string }

// Render returns a delivered message as the agent reads it: a first line that names its
// sender, the body, and how to reply. The runtime's own hints (RuntimeID) have no reply
// line. The first line cannot be forged: no role's name can break out of it, and no body
// can come before it.
func Render(lang Lang, from Sender, p Payload, attached ...Attachment) string {
	message := header(lang, from) + "\n" + p.Body()
	for _, f := range attached {
		message += "\n\n" + f.render(lang)
	}
	if from.ID == RuntimeID {
		return message
	}
	return message + "\n" + fmt.Sprintf(frameIn(lang).reply, oneLine(from.ID))
}

// A frame is the text around a body in one language.
type frame struct {
	user, runtime, agent, reply string
	// The parts of an introduction.
	introduced, purpose, services, input, output, closing string
}

// frameIn returns the exact forms, which models and the offline model rely on (P9 in
// runtime/SPEC.md).
func frameIn(lang Lang) frame {
	if lang == Chinese {
		return frame{
			user:    "【来自用户的消息】",
			runtime: "【来自系统的通知】",
			agent:   "【来自 %s（%s）的消息】",
			reply:   "如需回复，请使用 send_message(to='%s', ...)",

			introduced: "【系统介绍：%s（角色“%s”）首次给你发消息。", purpose: "用途：“%s”。",
			services: "服务：“%s”。", input: "输入格式：“%s”。", output: "输出格式：“%s”。", closing: "】",
		}
	}
	return frame{
		user:    "[Message from the user]",
		runtime: "[Notice from the runtime]",
		agent:   "[Message from %s (%s)]",
		reply:   "To reply, use send_message(to='%s', ...)",

		introduced: `[Introduction by the runtime: %s, role "%s", writes to you for the first time.`, purpose: ` Purpose: "%s".`,
		services: ` Services: "%s".`, input: ` Input format: "%s".`, output: ` Output format: "%s".`, closing: "]",
	}
}

func header(lang Lang, from Sender) string {
	switch from.ID {
	case UserID:
		return frameIn(lang).user
	case RuntimeID:
		return frameIn(lang).runtime
	}
	role := strings.Map(unbracketed, oneLine(from.Role))
	if role == "" {
		role = "unknown"
	}
	return fmt.Sprintf(frameIn(lang).agent, role, oneLine(from.ID))
}

// oneLine keeps a name on its line. CheckRoleName refuses names that need it, but records
// of other origin come here too.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, name)
}

// unbracketed removes the characters that end a first line.
func unbracketed(r rune) rune {
	switch r {
	case '】', ']', '］':
		return ' '
	}
	return r
}
