package api

import (
	"errors"
	"time"

	"society-tui/runtime/society"
)

// ErrNoArtifact is returned for an artifact, or a version of one, that does not exist.
var ErrNoArtifact = errors.New("there is no such artifact")

// An Artifact is something that agents have made and kept, with its versions, oldest first.
type Artifact struct {
	society.Artifact
	Versions []Version
}

// A Version is one version of an artifact.
type Version struct {
	N    int    // counted from 1
	Type string // MIME type, found from the content
	Size int    // bytes
	By   society.AgentID
	At   time.Time
}
