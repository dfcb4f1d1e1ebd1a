import { type CompiledTemplate, compileTemplate, fill, type TemplateSource } from '../rules/compile.ts';
import { textFromHtml } from '../rules/html/text.ts';
import { FillError, type MergeData } from '../rules/liquid/run.ts';
import type { Problem } from '../rules/problem.ts';

export interface Filled {
  subject: string;
  preheader: string;
  html: string;
  text: string;
  /** Why it stands there as it is written. Empty as a rule. */
  problems: Omit<Problem, 'key'>[];
  source: TemplateSource;
  compiled: CompiledTemplate;
}

/** The parts of a template. A text part that nobody has written is made from the HTML. */
export const sourceOf = (htmlContent: string, textContent: string | null | undefined): TemplateSource => ({
  subject: '',
  preheader: '',
  html: htmlContent,
  text: textContent?.trim() ? textContent : textFromHtml(htmlContent),
});

/** A template filled with these values, or as it is written where it cannot be filled. */
export function filled(source: TemplateSource, data: MergeData, known?: readonly string[]): Filled {
  const compiled = compileTemplate(source, known);
  const asWritten = { ...source, source, compiled };
  const { problems } = compiled;
  if (problems.length > 0) return { ...asWritten, problems };
  try {
    return { ...fill(compiled, data), problems, source, compiled };
  } catch (error) {
    if (!(error instanceof FillError)) throw error;
    return { ...asWritten, problems: [{ words: error.message, part: 'html', line: 1, column: 1 }] };
  }
}
