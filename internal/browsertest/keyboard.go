package browsertest

// FocusFaults goes through all that a keyboard reaches, in the order in which it does, and returns what is wrong: no visible ring, not
// in the window or under what sticks to its edges, smaller than 24 pixels both ways without being a link in a text, or an order that a
// tabindex changes. A key must have been pressed before, so that the browser shows rings.
func (p *Page) FocusFaults() []string {
	p.t.Helper()
	return read[[]string](p, "go through the page with the keyboard", `(() => {
		const faults = [], tell = (e, what) => faults.push(what + ": " + e.cloneNode(false).outerHTML.slice(0, 140));
		const stops = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")]
			.filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) && !e.closest("[inert]"));
		for (const e of stops) {
			if (e.tabIndex > 0) tell(e, "changes the order");
			e.focus({ focusVisible: true });
			if (document.activeElement !== e) { tell(e, "does not take the focus"); continue; }
			document.getAnimations().forEach((a) => a.finish());
			const ring = [e, e.closest(".ds-field, .ds-file-upload, li, .top-search")].some((r) => {
				const style = r && getComputedStyle(r);
				return style && (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || style.boxShadow !== "none");
			});
			if (!ring) tell(e, "has no ring");
			const box = e.getBoundingClientRect(), seen = { x: box.x + Math.min(box.width, innerWidth) / 2, y: box.y + Math.min(box.height / 2, 20) };
			if (box.width < 2) continue; // a native control that is drawn by its label
			const top = document.elementFromPoint(seen.x, seen.y);
			if (!top || !(e.contains(top) || top.contains(e) || e.labels && [...e.labels].some((l) => l.contains(top)))) tell(e, "is not seen at " + Math.round(seen.x) + ", " + Math.round(seen.y));
			const inText = getComputedStyle(e).display === "inline";
			if (!inText && (box.height < 24 || box.width < 24) && !e.closest("label") && !e.labels?.length) tell(e, "is " + Math.round(box.width) + " × " + Math.round(box.height));
		}
		return faults;
	})()`)
}

// Moving returns what still moves or fades for a moment where people have asked that nothing does.
func (p *Page) Moving() []string {
	p.t.Helper()
	return read[[]string](p, "look for what moves", `[...document.querySelectorAll("*")].filter((e) => {
		const style = getComputedStyle(e), lasts = (times) => times.split(",").some((t) => parseFloat(t) > 0.01);
		return lasts(style.animationDuration) && style.animationName !== "none" ||
			lasts(style.transitionDuration) && /(^|,| )(all|transform|translate|width|height|inset|top|left|margin)/.test(style.transitionProperty);
	}).slice(0, 5).map((e) => e.cloneNode(false).outerHTML.slice(0, 140))`)
}

// Unlined returns elements that match and have neither border nor outline, as forced colours need of what a tint told.
func (p *Page) Unlined(selector string) []string {
	p.t.Helper()
	return read[[]string](p, "look for lines", call(`(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility() && (() => {
		const style = getComputedStyle(e), line = (kind, width) => style[kind] !== "none" && parseFloat(style[width]) > 0;
		return !line("borderBottomStyle", "borderBottomWidth") && !line("outlineStyle", "outlineWidth");
	})()).map((e) => e.cloneNode(false).outerHTML.slice(0, 140))`, selector))
}

// Focus gives the keyboard to the first element that matches.
func (p *Page) Focus(selector string) {
	p.t.Helper()
	read[bool](p, "focus "+selector, call(`(selector) => { document.querySelector(selector).focus({ focusVisible: true }); return true; }`, selector))
}
