/** The parts of a template that are filled for each recipient. */
export const templateParts = ['subject', 'preheader', 'html', 'text'] as const;

export type TemplatePart = (typeof templateParts)[number];

export type ProblemKey =
  | 'too_long'
  | 'too_many_tags'
  | 'too_deep'
  | 'syntax'
  | 'unknown_tag'
  | 'unknown_filter'
  | 'not_closed'
  | 'not_opened'
  | 'forbidden_field'
  | 'unquoted';

/** Why a template cannot be filled. Lines and columns begin at 1. */
export interface Problem {
  key: ProblemKey;
  /** A sentence for the person who writes the template. */
  words: string;
  part: TemplatePart;
  line: number;
  column: number;
}

/** A fault at a place of a source, before it is known which part the source is. */
export interface Fault {
  key: ProblemKey;
  words: string;
  at: number;
}

/** Where an offset of a source is, for people. */
export function placeOf(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n') };
}
