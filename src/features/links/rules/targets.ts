/**
 * Which addresses of a mail become links of ours, and where those may lead. An address that is no
 * page on the web stays as it is written.
 */
export interface Target {
  /** As the template has it, with its Liquid. */
  target: string;
  /** What is the same for everybody in a target with Liquid. Null: all of it. */
  prefix: string | null;
}

/** Longer addresses are left alone: mail programs and proxies cut links of many kilobytes. */
const longestTarget = 4_000;

/** Scheme and host, and what ends them. Liquid before that end could lead to any host. */
const fixedOrigin = /^https?:\/\/[^\s/?#\\@{}]+[/?#]/i;

/**
 * How an address of a template is stored. Null when it cannot be counted: it is no page, or Liquid
 * fills in where it leads to.
 */
export function targetOf(address: string): Target | null {
  const target = address.trim();
  if (target.length > longestTarget) return null;
  const liquid = /\{[{%]/.exec(target);
  if (!liquid) return pageAddress(target) === null ? null : { target, prefix: null };
  const prefix = target.slice(0, liquid.index);
  return fixedOrigin.test(prefix) && pageAddress(prefix) !== null ? { target, prefix } : null;
}

/**
 * The address of a page as a header may hold it: ASCII, without blanks or line ends. Null for
 * anything that is no page on the web, such as `javascript:`.
 */
export function pageAddress(text: string): string | null {
  // URL would take line ends and tabs out in silence.
  if (/[\p{Cc}\u2028\u2029]/u.test(text) || !/^https?:\/\/[^/\\]/i.test(text)) return null;
  const url = URL.parse(text);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
    ? url.href
    : null;
}

/** Where a link leads whose rest differs by recipient. Null if the rest led to another site. */
export function joinedAddress(prefix: string, rest: string): string | null {
  const whole = pageAddress(prefix + rest);
  const same = whole !== null && URL.parse(prefix)?.origin === URL.parse(whole)?.origin;
  return same ? whole : null;
}
