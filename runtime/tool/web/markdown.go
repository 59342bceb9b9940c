package web

import (
	"context"
	"net/url"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostElements is of how large a page the main text is looked for, which takes time that
// grows faster than the page. A larger one is returned whole.
const mostElements = 20_000

// markdown returns the main text of a page as Markdown, or all of it if it has none.
func markdown(ctx context.Context, text string, at *url.URL) (title, md string, err error) {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil { // nested too deep
		return "", text, nil
	}
	completeLinks(doc, at)
	title = titleOf(doc)
	main := doc
	parser := readability.NewParser()
	parser.MaxElemsToParse = mostElements
	if article, err := parser.ParseDocument(doc, at); err == nil && article.Node != nil && hasText(article.Node) {
		main = article.Node
		if t := article.Title(); t != "" {
			title = t
		}
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	return title, written(ctx, main), ctx.Err()
}

// longestWriting is how long a page may take to become Markdown: lists and quotes in each
// other make it grow with the square of their depth.
const longestWriting = 2 * time.Second

// written is a part of a page as Markdown, or its bare text if that takes too long.
func written(ctx context.Context, part *html.Node) string {
	ctx, cancel := context.WithTimeout(ctx, longestWriting)
	defer cancel()
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	c.Register.Renderer(func(ctx converter.Context, _ converter.Writer, _ *html.Node) converter.RenderStatus {
		if ctx.Err() != nil {
			return converter.RenderSuccess // nothing more is looked at
		}
		return converter.RenderTryNext
	}, converter.PriorityEarly)
	md, err := c.ConvertNode(part, converter.WithContext(ctx))
	if err != nil || ctx.Err() != nil {
		return bareText(part)
	}
	return string(md)
}

// bareText is the text of a part of a page, a line for each piece.
func bareText(part *html.Node) string {
	var b strings.Builder
	for n := range part.Descendants() {
		if n.Type != html.TextNode || n.Parent.DataAtom == atom.Script || n.Parent.DataAtom == atom.Style {
			continue
		}
		if text := strings.TrimSpace(n.Data); text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// completeLinks writes all addresses in a page whole, and takes away images that are written
// out within it.
func completeLinks(doc *html.Node, at *url.URL) {
	from := at
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Base {
			if to, err := at.Parse(attribute(n, "href")); err == nil {
				from = to
			}
			break
		}
	}
	for n := range doc.Descendants() {
		for i, a := range n.Attr {
			if n.Type != html.ElementNode || a.Key != "href" && a.Key != "src" {
				continue
			}
			to, err := from.Parse(strings.TrimSpace(a.Val))
			switch {
			case err != nil:
			case to.Scheme == "data":
				n.Attr[i].Val = ""
			default:
				n.Attr[i].Val = to.String()
			}
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func titleOf(doc *html.Node) string {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			return n.FirstChild.Data
		}
	}
	return ""
}

func hasText(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.TrimSpace(d.Data) != "" {
			return true
		}
	}
	return false
}
