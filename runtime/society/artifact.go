package society

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/artifacts"
)

// ArtifactID is the id of an artifact.
type ArtifactID string

// An Artifact is something that agents have made and kept, in versions, and a stored
// record: fields are added, never renamed. It belongs to a task and outlives its agents.
// The name is what an agent wrote: it is shown, and never a place on a disk.
type Artifact struct {
	ID   ArtifactID `json:"id"`
	N    uint64     `json:"n"` // from which the id is made
	Task TaskID     `json:"task"`
	Name string     `json:"name"`

	// Of the newest version: its number, counted from 1, its MIME type, found from the
	// content, its size in bytes, and who put it when.
	Version int       `json:"version"`
	Type    string    `json:"type"`
	Size    int       `json:"size"`
	By      AgentID   `json:"by"`
	At      time.Time `json:"at"`

	Bytes int64 `json:"bytes"` // of all versions
}

// An ArtifactPut is a version of an artifact that an agent puts.
type ArtifactPut struct {
	Name, Type string
	Data       []byte
}

// ArtifactKept adds a version to an artifact, and the artifact with its first.
type ArtifactKept struct {
	Artifact Artifact // as it is then
	Data     []byte   // of the version
}

func (e ArtifactKept) apply(s *State) {
	artifact := e.Artifact
	s.artifacts[artifact.ID] = &artifact
	if c := s.counters.Artifacts; artifact.N > c {
		s.count().Artifacts = artifact.N
	}
}

// Lines implements Shows.
func (e ArtifactKept) Lines() []TimelineLine {
	a := &e.Artifact
	return shown(a.At, a.By, "artifact", fmt.Sprintf("%s, version %d", a.ID, a.Version), "artifact", a.ID)
}

// Artifacts returns copies of the artifacts of a task, of all tasks if it is "", in the
// order in which they were first put.
func (s *State) Artifacts(task TaskID) []Artifact {
	var list []Artifact
	for _, a := range s.artifacts {
		if task == "" || a.Task == task {
			list = append(list, *a)
		}
	}
	slices.SortFunc(list, func(a, b Artifact) int { return cmp.Compare(a.N, b.N) })
	return list
}

// putArtifact decides what a call of artifact_put has prepared: effect and result are one
// decision, so that nothing is put twice, whenever the program dies.
func (d *decision) putArtifact(a *Agent, put ArtifactPut) (text string, outcome conversation.Outcome) {
	next, refusal := d.keepVersion(a.Turn.Task, a.ID, put)
	if refusal != nil {
		return d.refused(refusal), conversation.Failed
	}
	return payloadOf(map[string]any{
		"ok": true, "id": next.ID, "version": next.Version, "name": next.Name, "type": next.Type, "size": next.Size, "cite": "artifact:" + next.ID,
	}), conversation.OK
}

// keepVersion adds a version to the artifact of a task that has this name, or makes it.
func (d *decision) keepVersion(task TaskID, by AgentID, put ArtifactPut) (Artifact, *Refusal) {
	size := len(put.Data)
	if size > artifacts.MostBytes {
		return Artifact{}, refuse(TooLarge, "", protocol.ArtifactTooLarge, size, artifacts.MostBytes)
	}
	next := Artifact{N: d.s.counters.Artifacts + 1, Task: task, Name: put.Name}
	sum, known := int64(size), maps.Clone(d.s.artifacts)
	for _, e := range d.events { // what this decision has kept
		if kept, ok := e.(ArtifactKept); ok {
			known[kept.Artifact.ID] = &kept.Artifact
			next.N = max(next.N, kept.Artifact.N+1)
		}
	}
	next.ID = ArtifactID(fmt.Sprintf("a%d", next.N))
	for _, is := range known {
		if is.Task != task {
			continue
		}
		if sum += is.Bytes; is.Name == put.Name {
			next = *is
		}
	}
	switch {
	case next.Version >= artifacts.MostVersions:
		return Artifact{}, refuse(LimitReached, "", protocol.ArtifactVersions, next.ID, artifacts.MostVersions)
	case sum > artifacts.MostInTask:
		return Artifact{}, refuse(LimitReached, "", protocol.ArtifactsFull, artifacts.MostInTask>>20)
	}
	next.Version++
	next.Type, next.Size, next.By, next.At, next.Bytes = put.Type, size, by, d.at, next.Bytes+int64(size)
	d.add(ArtifactKept{Artifact: next, Data: put.Data})
	return next, nil
}

// checkArtifacts checks that artifacts have numbers of their own, and one name in a task.
func (s *State) checkArtifacts(wrong func(string, ...any)) {
	names := map[[2]string]ArtifactID{}
	for id, a := range s.artifacts {
		if a.ID != id || string(id) != fmt.Sprintf("a%d", a.N) || a.N > s.counters.Artifacts {
			wrong("the artifact %s is kept as %s, with number %d of %d", a.ID, id, a.N, s.counters.Artifacts)
		}
		name := [2]string{string(a.Task), a.Name}
		if other, twice := names[name]; twice {
			wrong("%s and %s have one name in one task", other, id)
		}
		names[name] = id
		if a.Version < 1 || a.Version > artifacts.MostVersions || int64(a.Size) > a.Bytes {
			wrong("%s has %d versions, the newest of %d bytes of %d", id, a.Version, a.Size, a.Bytes)
		}
	}
}
