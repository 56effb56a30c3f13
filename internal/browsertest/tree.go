package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// AccessibilityTree is what assistive technology is told of the page, as text: a line for each node with its role, name, description,
// value and states, indented below what holds it. Nodes that only group others are left out.
func (p *Page) AccessibilityTree() string {
	p.t.Helper()
	var b strings.Builder
	p.once("read the accessibility tree", func(ctx context.Context) error {
		tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return err
		}
		nodes := map[accessibility.NodeID]*accessibility.Node{}
		for _, n := range tree.Nodes {
			nodes[n.NodeID] = n
		}
		if len(tree.Nodes) > 0 {
			writeNode(&b, nodes, tree.Nodes[0], 0)
		}
		return nil
	})
	return b.String()
}

// statesTold are the properties that a reader hears.
var statesTold = []accessibility.PropertyName{"level", "checked", "expanded", "pressed", "selected", "required", "invalid", "disabled", "live", "hasPopup", "readonly"}

// silentRoles are nodes that say nothing themselves.
var silentRoles = []string{"generic", "none", "InlineTextBox", "LineBreak", "ListMarker", "paragraph", "LabelText", "Legend"}

func writeNode(b *strings.Builder, nodes map[accessibility.NodeID]*accessibility.Node, n *accessibility.Node, depth int) {
	role, name := valueOf(n.Role), valueOf(n.Name)
	within := depth
	if !n.Ignored && !slices.Contains(silentRoles, role) && (role != "StaticText" || !namedAfter(nodes, n, name)) {
		b.WriteString(strings.Repeat("  ", depth) + role)
		if name != "" {
			fmt.Fprintf(b, " %q", name)
		}
		if d := valueOf(n.Description); d != "" && d != name {
			fmt.Fprintf(b, " description %q", d)
		}
		if v := valueOf(n.Value); v != "" {
			fmt.Fprintf(b, " value %q", v)
		}
		for _, p := range n.Properties {
			if v := valueOf(p.Value); slices.Contains(statesTold, p.Name) && v != "" && v != "false" {
				fmt.Fprintf(b, " %s=%s", p.Name, v)
			}
		}
		b.WriteByte('\n')
		within++
	}
	for _, id := range n.ChildIDs {
		if child := nodes[id]; child != nil {
			writeNode(b, nodes, child, within)
		}
	}
}

// namedAfter tells whether a text is part of the name of what holds it, which the tree has told already.
func namedAfter(nodes map[accessibility.NodeID]*accessibility.Node, n *accessibility.Node, text string) bool {
	for up := nodes[n.ParentID]; up != nil; up = nodes[up.ParentID] {
		if role := valueOf(up.Role); !up.Ignored && !slices.Contains(silentRoles, role) {
			return strings.Contains(valueOf(up.Name), strings.TrimSpace(text))
		}
	}
	return false
}

// valueOf is a value as text.
func valueOf(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	var any any
	if err := json.Unmarshal([]byte(v.Value), &any); err != nil {
		return ""
	}
	return strings.Join(strings.Fields(fmt.Sprint(any)), " ")
}
