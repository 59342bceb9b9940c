package shell

import (
	"encoding/json"

	"society-tui/runtime/tool"
)

// Seconds returns the timeout of a call.
func (s *Shell) Seconds(by tool.Caller, args json.RawMessage) (int, error) {
	r, err := s.read(by, args)
	if err != nil {
		return 0, err
	}
	return r.seconds, nil
}
