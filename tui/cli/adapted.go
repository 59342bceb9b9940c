package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"society-tui/llm/chatapi"
	"society-tui/runtime/tomlfile"
)

// adaptedFile holds, in the data folder, what endpoints have refused or demanded.
const adaptedFile = "adapted.toml"

// adaptedNote stands above what is in it.
const adaptedNote = "# What endpoints have refused or demanded. /models forgets it, and so does removing a line while nothing runs.\n"

// adaptedIn returns what is known of endpoints in a data folder, which all models of a run
// share. What cannot be read is learned anew.
func adaptedIn(data string) *chatapi.Memory {
	path := filepath.Join(data, adaptedFile)
	known := map[string][]string{}
	if text, _, err := tomlfile.Read(path); err == nil {
		_ = toml.Unmarshal(text, &known)
	}
	var mu sync.Mutex
	return chatapi.NewMemory(known, func(name string, adapted []string) {
		mu.Lock()
		defer mu.Unlock()
		_ = keepAdapted(path, name, adapted) // it is known for this run, and learned anew in the next
	})
}

// keepAdapted writes what is known of an endpoint and model, beside what the file knows of
// others.
func keepAdapted(path, name string, adapted []string) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return err // no session was opened there
	}
	return tomlfile.Rewrite(context.Background(), path, func(before []byte, _ fs.FileMode) ([]byte, error) {
		known := map[string][]string{}
		_ = toml.Unmarshal(before, &known) // what is no table of texts is replaced
		maps.DeleteFunc(known, func(_ string, adapted []string) bool { return len(adapted) == 0 })
		if known[name] = adapted; len(adapted) == 0 {
			delete(known, name)
		}
		after, err := toml.Marshal(known)
		return append([]byte(adaptedNote), after...), err
	})
}
