package main

import (
	"fmt"
	"strings"
)

// The words of all turns. Each contender's model lives in the process and answers
// at once: to a user's message that holds look with a call of the tool, to
// everything else with the answer; to one that holds wait only when it may.
const (
	say      = "Say something, please."
	look     = "Please look at the lid."
	wait     = "Please wait before you answer."
	saw      = "a hinge"
	toolName = "look"
	where    = `{"at":"lid"}`
	prompt   = "You are thorough. Look where you are told to, and say what you saw."
)

// asked is what a user says in such a turn.
func (t turn) asked() string {
	if t.tool {
		return look
	}
	return say
}

// calls reports whether a model answers to this last text of a history with a call.
func calls(text string) bool { return strings.Contains(text, look) }

// pieces are the chunks of an answer, the same for all.
func (t turn) pieces() []string {
	list := make([]string, t.chunks)
	for i := range list {
		list[i] = fmt.Sprintf("word %d of it ", i)
	}
	return list
}

func (t turn) answer() string { return strings.Join(t.pieces(), "") }
