/** Selects a line of a field with plain text, and brings it into view. Lines count from 1. */
export function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (!field) return;
  const lines = field.value.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
}
