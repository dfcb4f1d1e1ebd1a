import { fromThisHost } from '#features/images/rules/address.ts';

/** A picture as a screen can show it. */
export type ShownPicture = { src: string } | { host: string };

/**
 * What to show of a picture: images of ours from this host. Pages let in none from elsewhere, so
 * that opening an editor tells nobody; of those the host is said.
 */
export function shownPicture(address: string): ShownPicture {
  const src = fromThisHost(address.trim());
  const [, host] = /^(?:https?:)?\/\/([^/?#]+)/i.exec(src) ?? [];
  return host ? { host } : { src };
}

/** A grey picture that says where the real one is. */
export function standIn(host: string): string {
  const words = host.length > 40 ? `${host.slice(0, 39)}…` : host;
  const text = words.replace(/[<>&"']/g, '');
  const lines = ['A picture from', text, 'The preview shows it.'].map(
    (line, at) => `<text x="300" y="${78 + at * 26}" text-anchor="middle">${line}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200" width="600" height="200"><rect width="600" height="200" fill="#eef1f3"/><g font-family="sans-serif" font-size="18" fill="#4f5b63">${lines.join('')}</g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
