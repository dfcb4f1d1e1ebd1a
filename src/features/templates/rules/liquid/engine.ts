import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  ContinueTag,
  ForTag,
  IfTag,
  Liquid,
  RawTag,
  Tag,
  type TagToken,
  type TopLevelToken,
  UnlessTag,
} from 'liquidjs';
import { filterNames } from './filter-names.ts';

/**
 * `{% # … %}`. The library's own looks at the end of a comment once for each of its lines, which
 * takes minutes for many empty ones.
 */
export class LineComment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    const [, ...more] = token.args.split('\n');
    if (more.some((line) => /^\s*[^#\s]/.test(line)))
      throw new Error('every line of an inline comment must start with a "#" character');
  }

  render(): void {}
}

/** The tags that a template may use. */
const tags = {
  if: IfTag,
  unless: UnlessTag,
  case: CaseTag,
  for: ForTag,
  break: BreakTag,
  continue: ContinueTag,
  assign: AssignTag,
  capture: CaptureTag,
  comment: CommentTag,
  raw: RawTag,
  '#': LineComment,
};

export const tagNames = Object.keys(tags);

/** Tags of Liquid that open other files. There are none here. */
export const fileTags = ['include', 'render', 'layout', 'block', 'section', 'partial'];

let engine: Liquid | undefined;

/**
 * The parser. It only parses: `program.ts` makes what is run. It has no tag that reads a file, and
 * nowhere to read from.
 */
export function parser(): Liquid {
  if (engine) return engine;
  engine = new Liquid({ strictFilters: true, ownPropertyOnly: true, catchAllErrors: true, templates: {} });
  engine.registerTag('#', LineComment);
  for (const name of Object.keys(engine.tags)) if (!Object.hasOwn(tags, name)) delete engine.tags[name];
  const allowed = new Set<string>(filterNames);
  for (const name of Object.keys(engine.filters)) if (!allowed.has(name)) delete engine.filters[name];
  return engine;
}
