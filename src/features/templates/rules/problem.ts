/** The parts of a template that are filled for each recipient. */
export const templateParts = ['subject', 'preheader', 'html', 'text'] as const;

export type TemplatePart = (typeof templateParts)[number];

/** Where something can be wrong: in a part, or in what the HTML is made from. */
export const findingParts = [...templateParts, 'mjml', 'document'] as const;
export type FindingPart = (typeof findingParts)[number];

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

export interface Place {
  /** From 1. */
  line: number;
  column: number;
}

/**
 * Where offsets of a source are, for people. The source is read once, however many are asked for.
 */
export function placesIn(source: string): (at: number) => Place {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= lineStarts(source);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
