/** button[data-skriv-ut] opens the browser's print dialog. */
export function printButtons(): void {
  document.addEventListener('click', e => {
    if (e.target instanceof Element && e.target.closest('button[data-skriv-ut]')) window.print();
  });
}
