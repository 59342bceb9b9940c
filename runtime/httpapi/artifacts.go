package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// An Artifact is something that agents have made and kept.
type Artifact struct {
	ID      string    `json:"id"`
	TaskID  string    `json:"taskId"`
	Name    string    `json:"name" jsonschema:"as an agent wrote it; it is no path"`
	Type    string    `json:"type" jsonschema:"MIME type, found from the content"`
	Size    int       `json:"size" jsonschema:"bytes of the newest version"`
	Version int       `json:"version" jsonschema:"the newest, counted from 1"`
	By      string    `json:"by" jsonschema:"the agent that put the newest version; it may have ended"`
	At      time.Time `json:"at"`
}

func artifactOf(a *society.Artifact) Artifact {
	return Artifact{string(a.ID), string(a.Task), a.Name, a.Type, a.Size, a.Version, string(a.By), a.At}
}

// ArtifactDetails are an artifact with its versions.
type ArtifactDetails struct {
	Artifact
	Versions []ArtifactVersion `json:"versions" jsonschema:"oldest first"`
}

// An ArtifactVersion is one version of an artifact.
type ArtifactVersion struct {
	Version int       `json:"version"`
	Type    string    `json:"type"`
	Size    int       `json:"size"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

func (h *Handler) artifactRoutes() []route {
	type query struct {
		TaskID string `query:"task" doc:"only those of this task"`
	}
	type list struct {
		Artifacts []Artifact `json:"artifacts" jsonschema:"in the order in which they were first put"`
	}
	type one struct {
		ID string `path:"id" json:"-" doc:"of the artifact"`
	}
	type content struct {
		ID      string `path:"id" json:"-" doc:"of the artifact"`
		Version int    `query:"version" min:"1" max:"50" doc:"which version; the newest without it"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/artifacts", http.StatusOK, "List the artifacts", func(c *call, in query) (*list, error) {
			all, err := h.cfg.Society.Artifacts(c, society.TaskID(in.TaskID))
			l := list{Artifacts: []Artifact{}}
			for i := range all {
				l.Artifacts = append(l.Artifacts, artifactOf(&all[i]))
			}
			return &l, err
		}),
		routeJSON(h, http.MethodGet, "/api/artifacts/{id}", http.StatusOK, "Show an artifact with its versions", func(c *call, in one) (*ArtifactDetails, error) {
			a, err := h.cfg.Society.Artifact(c, society.ArtifactID(in.ID))
			if err != nil {
				return nil, noArtifact(err, in.ID)
			}
			d := ArtifactDetails{artifactOf(&a.Artifact), []ArtifactVersion{}}
			for _, v := range a.Versions {
				d.Versions = append(d.Versions, ArtifactVersion{v.N, v.Type, v.Size, string(v.By), v.At})
			}
			return &d, nil
		}),
		// Whatever an agent has made is bytes: a browser that opens it must not run it.
		routeBytes(h, "/api/artifacts/{id}/content", "application/octet-stream", "Read an artifact", func(c *call, in content, w io.Writer) error {
			data, err := h.cfg.Society.ArtifactContent(c, society.ArtifactID(in.ID), in.Version)
			if err != nil {
				return noArtifact(err, in.ID)
			}
			_, err = w.Write(data) // of an empty one too: it sets the type
			return err
		}),
	}
}

func noArtifact(err error, id string) error {
	if errors.Is(err, api.ErrNoArtifact) {
		return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is no artifact " + id + ", or not this version of it; GET /api/artifacts lists those there are"}
	}
	return err
}
