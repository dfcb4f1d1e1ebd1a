import {
  type Completion,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { TemplateField } from '../../../contract/fields.ts';
import { filterNames, needed } from '../../../rules/liquid/filter-names.ts';
import { type LiquidPlace, liquidPlace } from './liquid-place.ts';

/** Longer Liquid than this is in no template. */
const farthest = 400;

/** What stands for each tag, from behind `{%`. The places to fill are in braces. */
export const tagSnippets: Record<string, string> = {
  if: 'if #{first_name} %}#{}{% endif %}',
  elsif: 'elsif #{} %}',
  else: 'else %}#{}',
  unless: 'unless #{first_name} %}#{}{% endunless %}',
  case: 'case #{field} %}{% when #{"value"} %}#{}{% endcase %}',
  when: 'when #{"value"} %}#{}',
  for: 'for #{item} in #{list} %}#{}{% endfor %}',
  break: 'break %}#{}',
  continue: 'continue %}#{}',
  assign: 'assign #{name} = #{value} %}#{}',
  capture: 'capture #{name} %}#{}{% endcapture %}',
  comment: 'comment %}#{}{% endcomment %}',
  raw: 'raw %}#{}{% endraw %}',
  endif: 'endif %}#{}',
  endunless: 'endunless %}#{}',
  endcase: 'endcase %}#{}',
  endfor: 'endfor %}#{}',
  endcapture: 'endcapture %}#{}',
  endcomment: 'endcomment %}#{}',
  endraw: 'endraw %}#{}',
};

const kinds: Record<TemplateField['kind'], string> = {
  contact: 'Of the contact',
  extra: 'From imports',
  sender: 'Of the sender',
  message: 'For you to fill',
};
const order: TemplateField['kind'][] = ['contact', 'extra', 'sender', 'message'];

/** Where a position is in Liquid, the cursor's if none is given. */
export const liquidAt = (state: EditorState, at = state.selection.main.head): LiquidPlace | null =>
  liquidPlace(state.sliceDoc(Math.max(0, at - farthest), at));

/** Offers the fields of the workspace, and the tags and filters that a template may use. */
export function liquidCompletions(fields: () => readonly TemplateField[]): CompletionSource {
  return ({ state, pos, explicit }) => {
    const place = liquidAt(state, pos);
    if (!place || (place.typed === '' && !place.isDue && !explicit)) return null;
    return { from: pos - place.typed.length, options: offered(place, fields()), validFor: /^[\w.]*$/ };
  };
}

function offered(place: LiquidPlace, fields: readonly TemplateField[]): Completion[] {
  if (place.kind === 'tag') return Object.keys(tagSnippets).map((name) => tag(name, place));
  if (place.kind === 'filter') return filterNames.map(filter);
  const words = place.isTag ? ['and', 'or', 'contains', 'blank', 'empty', 'in', 'true', 'false'] : [];
  return [...fields.map((one) => field(one, place)), ...words.map((label) => ({ label, type: 'keyword' }))];
}

function field({ name, label, kind }: TemplateField, place: LiquidPlace): Completion {
  return {
    label: name,
    detail: label,
    type: 'variable',
    section: { name: kinds[kind], rank: order.indexOf(kind) },
    apply: place.isTag ? name : (view, completion, from, to) => putField(view, completion, { from, to }),
  };
}

/** A field with its braces: those that are missing come with it. */
function putField(view: EditorView, completion: Completion, { from, to }: { from: number; to: number }) {
  const before = /[{-]$/.test(view.state.sliceDoc(from - 1, from)) ? ' ' : '';
  const after = view.state.sliceDoc(to, to + 40);
  const isGoingOn = /^\s*[|-]/.test(after) || /^\s+\}\}/.test(after);
  const end = isGoingOn ? '' : /^\}\}/.test(after) ? ' ' : /^\}/.test(after) ? ' }' : ' }}';
  const written = `${before}${completion.label}`;
  view.dispatch({
    ...insertCompletionText(view.state, written + end, from, to),
    selection: { anchor: from + written.length },
    annotations: pickedCompletion.of(completion),
  });
}

function tag(name: string, { isTight }: LiquidPlace): Completion {
  const template = `${isTight ? ' ' : ''}${tagSnippets[name]}`;
  return {
    label: name,
    type: 'keyword',
    apply(view, completion, from, to) {
      // The end of the tag is part of what is put there.
      const closed = /^\s*-?%?\}/.exec(view.state.sliceDoc(to, to + 10))?.[0] ?? '';
      snippet(template)(view, completion, from, to + closed.length);
    },
  };
}

const filter = (name: (typeof filterNames)[number]): Completion =>
  needed(name) === 0
    ? { label: name, type: 'function' }
    : { label: name, type: 'function', detail: ': …', apply: `${name}: ` };
