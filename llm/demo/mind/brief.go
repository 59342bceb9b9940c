package mind

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"society-tui/llm"
)

// A brief is what an agent is given to do: the task brief of the protocol, as
// far as this model reads and writes it.
type brief struct {
	Objective          string         `json:"objective"`
	Constraints        []string       `json:"constraints"`
	Inputs             string         `json:"inputs"`
	Outputs            string         `json:"outputs"`
	CompletionCriteria string         `json:"completion_criteria"`
	Collaborators      []collaborator `json:"collaborators,omitempty"`
	References         []string       `json:"references,omitempty"`
}

type collaborator struct {
	AgentID     string `json:"agentId"`
	Role        string `json:"role"`
	Description string `json:"description"`
}

// UnmarshalJSON reads what it can of a brief, whoever wrote it: a field of an
// unexpected type is left empty instead of losing the whole.
func (b *brief) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for name, into := range map[string]any{
		"objective": &b.Objective, "constraints": &b.Constraints, "outputs": &b.Outputs,
		"completion_criteria": &b.CompletionCriteria, "collaborators": &b.Collaborators, "references": &b.References,
	} {
		_ = json.Unmarshal(fields[name], into) // the zero value is the answer to nonsense
	}
	if json.Unmarshal(fields["inputs"], &b.Inputs) != nil {
		b.Inputs = string(fields["inputs"]) // structured inputs are read as the text that they are
	}
	return nil
}

var digits = regexp.MustCompile(`\d{1,6}`)

// number is which of root's jobs a brief belongs to; 0 if it does not say.
func (b *brief) number() int {
	for _, r := range b.References {
		if n, err := strconv.Atoi(digits.FindString(r)); err == nil {
			return n
		}
	}
	return 0
}

// call makes a call of a tool. Arguments are made of strings, lists and maps,
// so that they can always be encoded.
func call(name string, arguments any) llm.Call {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(arguments) != nil {
		return llm.Call{Name: name, Arguments: "{}"}
	}
	return llm.Call{Name: name, Arguments: strings.TrimSuffix(b.String(), "\n")}
}
