package protocol

// A MessageType is the purpose of a message. Agents write the values.
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

// MessageTypes returns all types, in a fixed order.
func MessageTypes() []MessageType {
	return []MessageType{
		TaskAssignment, StatusReport, IntroductionRequest, IntroductionResponse,
		CollaborationRequest, CollaborationResponse, General,
	}
}

// Asks reports whether a message of this type is owed a reply. A reply is not, so that two
// agents cannot thank each other for ever.
func (t MessageType) Asks() bool {
	switch t {
	case TaskAssignment, CollaborationRequest, IntroductionRequest, General:
		return true
	}
	return false
}

// needsObject reports whether a payload of this type must be an object: a string
// cannot hold what the type demands.
func (t MessageType) needsObject() bool {
	switch t {
	case TaskAssignment, IntroductionRequest, IntroductionResponse:
		return true
	}
	return false
}

// ParseType reads a message type; the empty string is General.
func ParseType(s string) (MessageType, *Reason) {
	if s == "" {
		return General, nil
	}
	var names Names
	for _, t := range MessageTypes() {
		if s == string(t) {
			return t, nil
		}
		names = append(names, string(t))
	}
	return "", Because(UnknownType, s, names)
}
