/** What links in emails may begin with. */
const whole = /^(https?:\/\/[^\s/?#]|(mailto|tel|sms):\S)/i;

/** Liquid, also where it is masked, and tags of Mailchimp: known when they are filled. */
const filledIn = /^(\{[{%]|\uE000|\*\|)/;

const label = '[\\p{L}\\d](?:[\\p{L}\\d-]*[\\p{L}\\d])?';
const host = `(?:${label}\\.)+\\p{L}{2,}`;
const hostLike = new RegExp(`^${host}(?::\\d+)?(?:[/?#].*)?$`, 'isu');
const addressLike = new RegExp(`^[^\\s@/:]+@${host}$`, 'iu');
/** Names of files look like names of hosts. */
const fileLike = /^[^/?#]+\.(html?|php|aspx?|jpe?g|png|gif|webp|pdf|docx?)$/i;

/** Leads somewhere within the same email, or anywhere at all. An empty one is another matter. */
const isWhole = (href: string): boolean =>
  href === '' || href.startsWith('#') || filledIn.test(href) || whole.test(href);

/** An address as it was typed, with what mail programs need in front of it where that is clear. */
export function completedLink(typed: string): string {
  const href = typed.trim();
  if (isWhole(href)) return href;
  if (addressLike.test(href)) return `mailto:${href}`;
  return hostLike.test(href) && !fileLike.test(href) ? `https://${href}` : href;
}

/**
 * Why no mail program can open a link, as a sentence. Null: it can. Links in emails have no page
 * that they could begin at.
 */
export function linkFault(given: string): string | null {
  const href = given.trim();
  if (isWhole(href)) return null;
  const name = `“${href.slice(0, 60).replace(/\uE000+/g, '…')}” leads nowhere`;
  const mended = completedLink(href);
  if (mended !== href)
    return `${name}: begin it with ${mended.startsWith('mailto:') ? 'mailto:' : 'https://'}.`;
  return `${name}: write the whole address, beginning with https://, mailto: or tel:.`;
}
