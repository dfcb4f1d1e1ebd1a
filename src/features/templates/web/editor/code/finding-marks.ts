import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { Finding, TemplatePreview } from '../../../contract.ts';

type Placed = Pick<Finding, 'line' | 'column'>;

/** What a finding is about: a tag of Liquid or HTML, else a word. */
const meant = /^(?:\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$)|<!?[^\s<>]*|[^\s<{]+|.)/;

/** The part of the code that a finding is about. Undefined: it is not about one place. */
export function rangeOf(doc: Text, { line, column }: Placed): { from: number; to: number } | undefined {
  if (line === null || line < 1 || line > doc.lines) return undefined;
  const { from, to, text } = doc.line(line);
  const at = column === null ? -1 : column - 1;
  const word = at >= 0 ? (meant.exec(text.slice(at))?.[0] ?? '') : '';
  if (word.trim() !== '') return { from: from + at, to: from + at + word.length };
  return { from: from + (text.length - text.trimStart().length), to };
}

/** The findings of a preview as marks in the code they were made of. */
export function marksOf(
  doc: Text,
  { problems, warnings }: Pick<TemplatePreview, 'problems' | 'warnings'>,
  part: Finding['part'],
): Diagnostic[] {
  const marked = (findings: readonly Finding[], severity: Diagnostic['severity']): Diagnostic[] =>
    findings.flatMap((finding) => {
      const range = finding.part === part ? rangeOf(doc, finding) : undefined;
      return range ? [{ ...range, severity, message: finding.words }] : [];
    });
  return [...marked(problems, 'error'), ...marked(warnings, 'warning')];
}
