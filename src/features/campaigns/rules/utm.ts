import { targetOf } from '#features/links/rules/targets.ts';
import { unescaped } from '#features/templates/rules/addresses.ts';
import { masked, spansOf } from '#features/templates/rules/liquid/spans.ts';
import { slotsOf, textSlotsOf } from '#features/templates/rules/slots.ts';
import type { CampaignUtm } from '../contract.ts';

/**
 * The part of a message in which each link to a page carries the tags. A link that has one of them
 * keeps its own. Addresses that Liquid makes, such as the one for leaving, stay as they are.
 */
export function withUtm(source: string, part: 'html' | 'text', utm: CampaignUtm): string {
  const { spans } = spansOf(source);
  const hidden = masked(source, spans);
  const slots = part === 'html' ? slotsOf(hidden).slots : textSlotsOf(hidden, spans);
  let result = '';
  let done = 0;
  for (const { kind, start, end } of slots) {
    const written = source.slice(start, end);
    if (kind !== 'link' || targetOf(part === 'html' ? unescaped(written) : written) === null) continue;
    result += source.slice(done, start) + tagged(written, hidden.slice(start, end), part, utm);
    done = end;
  }
  return result + source.slice(done);
}

const names = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** @param hidden The same address without its Liquid, which may hold a # or ? of its own. */
function tagged(written: string, hidden: string, part: 'html' | 'text', utm: CampaignUtm): string {
  // An escape such as &#39; is no fragment.
  const fragment = part === 'html' ? hidden.search(/(?<!&)#/) : hidden.indexOf('#');
  const at = fragment === -1 ? written.trimEnd().length : fragment;
  const before = written.slice(0, at);
  const tags = names.flatMap((name) => {
    const value = utm[name];
    return !value || new RegExp(`[?&;]utm_${name}=`, 'i').test(before)
      ? []
      : [`utm_${name}=${encodeURIComponent(value)}`];
  });
  if (tags.length === 0) return written;
  const and = part === 'html' ? '&amp;' : '&';
  const query = hidden.slice(0, at).indexOf('?');
  const joint = query === -1 ? '?' : /(?:[?&]|&amp;)$/.test(before) ? '' : and;
  return before + joint + tags.join(and) + written.slice(at);
}
