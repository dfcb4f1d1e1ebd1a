/** What may be written where the cursor is in Liquid. */
export interface LiquidPlace {
  kind: 'tag' | 'filter' | 'value';
  /** Within `{% … %}`, where conditions are. */
  isTag: boolean;
  /** What is typed of the word so far. */
  typed: string;
  /** Nothing stands between the braces and the word. */
  isTight: boolean;
  /** Nothing is typed yet, and something has to come. */
  isDue: boolean;
}

/** What follows the last opening braces, unless they are closed. */
const open = /(\{\{|\{%)-?((?:(?!\}\}|%\}|\{\{|\{%)[\s\S])*)$/;

/** Where the cursor is in Liquid, from the text before it. Null: not in Liquid, or in a text. */
export function liquidPlace(before: string): LiquidPlace | null {
  const [, braces, inside = ''] = open.exec(before) ?? [];
  if (braces === undefined || isInText(inside)) return null;
  const isTag = braces === '{%';
  const [typed] = /[\w.]*$/.exec(inside) ?? [''];
  const ahead = inside.slice(0, inside.length - typed.length);
  const kind = kindAt(ahead, isTag);
  const isDue = typed === '' && (ahead.trim() === '' || /[|:=]\s*$/.test(ahead));
  return { kind, isTag, typed, isTight: ahead === '', isDue };
}

function kindAt(ahead: string, isTag: boolean): LiquidPlace['kind'] {
  if (isTag && ahead.trim() === '') return 'tag';
  return /\|\s*$/.test(ahead) ? 'filter' : 'value';
}

function isInText(inside: string): boolean {
  let quote = '';
  for (const letter of inside) {
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return quote !== '';
}
