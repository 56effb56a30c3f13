/** button[data-sett-inn="id"]: puts its own text into that field, where the cursor was; at the end if it was not there yet. */
export function insertions(): void {
  const visited = new WeakSet<EventTarget>();
  document.addEventListener('focusin', e => { if (e.target) visited.add(e.target); });
  document.addEventListener('click', e => {
    const button = e.target instanceof Element ? e.target.closest<HTMLButtonElement>('button[data-sett-inn]') : null;
    const field = document.getElementById(button?.dataset.settInn ?? '');
    if (!button || !(field instanceof HTMLTextAreaElement)) return;
    const end = field.value.length, [from, to] = visited.has(field) ? [field.selectionStart, field.selectionEnd] : [end, end];
    field.setRangeText(button.textContent?.trim() ?? '', from, to, 'end');
    field.focus();
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
