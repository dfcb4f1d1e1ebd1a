/**
 * The HTML with a link to leave by. It gets one at its end unless `url` stands where readers see
 * it: a condition may have left it out for this reader, and nobody reads comments.
 */
export function withWayOut(html: string, url: string): string {
  let found = html.indexOf(url);
  let bodyEnd = -1;
  let at = 0;
  while (true) {
    const open = html.indexOf('<!--', at);
    if (found >= 0 && (open < 0 || found < open)) return html;
    const shown = html.slice(at, open < 0 ? html.length : open);
    const last = shown.lastIndexOf('</body>');
    if (last >= 0) bodyEnd = at + last;
    const close = open < 0 ? -1 : html.indexOf('-->', open + 2);
    if (close < 0) {
      // Nobody sees what follows a comment without an end.
      const place = bodyEnd < 0 ? at + shown.length : bodyEnd;
      return html.slice(0, place) + wayOut(url) + html.slice(place);
    }
    at = close + 3;
    if (found >= 0 && found < at) found = html.indexOf(url, at);
  }
}

/** The same of a text part. An empty one is not sent, so it stays empty. */
export const textWithWayOut = (text: string, url: string): string =>
  text === '' || text.includes(url) ? text : `${text}\n\nUnsubscribe: ${url}`;

const wayOut = (url: string): string =>
  `<p style="margin:0;padding:16px 24px;text-align:center;font:13px/1.5 Helvetica,Arial,sans-serif"><a href="${url}">Unsubscribe</a></p>`;
