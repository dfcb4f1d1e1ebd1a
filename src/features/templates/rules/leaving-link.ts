import { masked, spansOf } from './liquid/spans.ts';
import { slotsOf } from './slots.ts';

const leaving = /^\{\{-?\s*unsubscribe_link\b/;

/** Whether HTML has a link to leave by. In comments, of HTML or of Liquid, there is none. */
export function hasLeavingLink(html: string): boolean {
  const { spans } = spansOf(html);
  const values = spans.filter(({ start, end }) => leaving.test(html.slice(start, end)));
  if (values.length === 0) return false;
  return slotsOf(masked(html, spans)).slots.some(
    ({ kind, ...link }) =>
      kind === 'link' && values.some(({ start, end }) => link.start <= start && end <= link.end),
  );
}
