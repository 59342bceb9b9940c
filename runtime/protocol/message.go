package protocol

import (
	"fmt"
	"strings"
)

// MessageType says what a message is for. The values are S002's.
type MessageType string

// The message types.
const (
	TaskAssignment        MessageType = "task_assignment"
	StatusReport          MessageType = "status_report"
	IntroductionRequest   MessageType = "introduction_request"
	IntroductionResponse  MessageType = "introduction_response"
	CollaborationRequest  MessageType = "collaboration_request"
	CollaborationResponse MessageType = "collaboration_response"
	General               MessageType = "general"
)

// MessageTypes are all types, in S002's order.
func MessageTypes() []MessageType {
	return []MessageType{
		TaskAssignment, StatusReport, IntroductionRequest, IntroductionResponse,
		CollaborationRequest, CollaborationResponse, General,
	}
}

// Asks says whether a message of this type earns its sender a reply
// (spec/decisions.md 21).
func (t MessageType) Asks() bool {
	switch t {
	case TaskAssignment, CollaborationRequest, IntroductionRequest, General:
		return true
	}
	return false
}

// ParseType reads a message type; the empty string is General.
func ParseType(s string) (MessageType, error) {
	if s == "" {
		return General, nil
	}
	var names []string
	for _, t := range MessageTypes() {
		if s == string(t) {
			return t, nil
		}
		names = append(names, string(t))
	}
	return "", fmt.Errorf("message_type %q: it must be one of %s", s, strings.Join(names, ", "))
}
