/** A picture that HTML shows by the name of a file. */
export interface PictureReference {
  /** As it stands in the HTML. */
  written: string;
  /** Where it is in the zip, without case. Empty: it leads out of the zip. */
  path: string;
  /** What the HTML says it shows. Null: nothing. */
  alt: string | null;
}

/** An attribute that names a picture. Cleaned HTML has all values in quotes. */
const attributes = /(?<=[\s"])((?:src|background)=")([^"]*)(?=")/gi;
const sets = /(?<=\s)(srcset=")([^"]*)(?=")/gi;
/** `url()` of a style. Its parts are bounded, so that no text takes long to look through. */
const styles =
  /(\burl\(\s{0,9}(?:&quot;|&#39;|["'])?)([^"'()&\s][^"'()]{0,999}?)(?=(?:&quot;|&#39;|["'])?\s{0,9}\))/gi;
const pictures = /<img\b[^>]*>/gi;

/** Reads each name of a picture, and writes what `put` answers in its place. */
function throughPictures(html: string, put: (written: string) => string): string {
  const one = (_: string, before: string, written: string): string => before + put(written);
  return html
    .replace(attributes, one)
    .replace(styles, one)
    .replace(sets, (_, before: string, set: string) => {
      const written = candidates(set).map(({ name, size }) => put(name) + size);
      return before + written.join(', ');
    });
}

/** The pictures that cleaned HTML shows by the names of files, each once. */
export function picturesIn(html: string, htmlFile: string): PictureReference[] {
  const found = new Map<string, PictureReference>();
  const alts = altsIn(html);
  throughPictures(html, (written) => {
    if (isFile(written) && !found.has(written))
      found.set(written, { written, path: pathOf(written, htmlFile), alt: alts.get(written) ?? null });
    return written;
  });
  return [...found.values()];
}

/** The same HTML with the addresses that are known by now. */
export const withPictures = (html: string, urls: ReadonlyMap<string, string>): string =>
  throughPictures(html, (written) => urls.get(written) ?? written);

/** `a.png 1x, b.png 2x` */
const candidates = (set: string): { name: string; size: string }[] =>
  set.split(/,\s+|,$/).flatMap((one) => {
    const [, name = '', size = ''] = /^\s*(\S+)((?:\s+\S+)?)\s*$/.exec(one) ?? [];
    return name === '' ? [] : [{ name, size }];
  });

/** Whether it names a file, and neither an address of elsewhere nor a merge field. */
const isFile = (written: string): boolean =>
  written.trim() !== '' && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(written) && !/\{[{%]/.test(written);

function altsIn(html: string): Map<string, string> {
  const alts = new Map<string, string>();
  for (const [tag] of html.matchAll(pictures)) {
    const written = /\ssrc="([^"]*)"/i.exec(tag)?.[1];
    const alt = /\salt="([^"]*)"/i.exec(tag)?.[1];
    if (written === undefined || alt === undefined || alts.has(written) || /\{[{%]/.test(alt)) continue;
    alts.set(written, plain(alt));
  }
  return alts;
}

const plain = (value: string): string =>
  value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Where a reference leads from the file it stands in. */
function pathOf(written: string, htmlFile: string): string {
  const [bare = ''] = plain(written).trim().split(/[?#]/);
  const steps = decoded(bare).replaceAll('\\', '/').split('/');
  const path = steps[0] === '' ? [] : htmlFile.split('/').slice(0, -1);
  for (const step of steps) {
    if (step === '' || step === '.') continue;
    if (step !== '..') path.push(step);
    else if (path.pop() === undefined) return '';
  }
  return path.join('/').toLowerCase();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
