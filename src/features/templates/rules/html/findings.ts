import { unescaped } from '../addresses.ts';
import { linkFault } from '../link-address.ts';
import { colourOf, contrastOf, hexOf } from './contrast.ts';
import { type Attribute, type HtmlHandler, readHtml } from './reader.ts';
import { SheetColours } from './sheet-colours.ts';
import { isHidden, lettersOf } from './text.ts';

/** Something in the HTML that its reader would stumble over. */
export interface HtmlFinding {
  key: 'image_without_alt' | 'insecure_link' | 'empty_link' | 'broken_link' | 'low_contrast';
  words: string;
  at: number;
}

/** Below this, WCAG 2.2 calls ordinary text hard to read. */
const leastContrast = 4.5;

/** Reads HTML in which Liquid is masked (see `masked`), so that offsets are those of the source. */
export function findingsIn(source: string): HtmlFinding[] {
  const reader = new FindingReader();
  readHtml(source, reader);
  return reader.findings;
}

interface Open {
  name: string;
  colour: string | null;
  /** Null where it cannot be known: a picture, a gradient, Liquid, a style sheet. */
  background: string | null;
  isHidden: boolean;
  hasLetters: boolean;
}

const empty = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
/** An element that ends when one of these begins, since it may be written without its end. */
const ended: Record<string, readonly string[]> = {
  td: ['td', 'th'],
  th: ['td', 'th'],
  tr: ['td', 'th', 'tr'],
  li: ['li'],
  p: ['p'],
};

class FindingReader implements HtmlHandler {
  findings: HtmlFinding[] = [];
  #open: Open[] = [{ name: '', colour: null, background: 'white', isHidden: false, hasLetters: true }];
  #pairs = new Set<string>();
  #sheets = new SheetColours();
  #at = 0;

  open(given: string, attributes: Attribute[], at: number): void {
    const name = given.toLowerCase();
    const find = (wanted: string) => attributes.find((attribute) => attribute.name === wanted)?.value;
    if (name === 'img') this.#image(find, at);
    if (name === 'a' || name === 'area') this.#link(find, at);
    this.#at = at;
    if (empty.has(name)) return;
    while (ended[name]?.includes(this.#inner().name)) this.#open.pop();
    this.#open.push(this.#styled(name, attributes, find));
  }

  #inner(): Open {
    return this.#open.at(-1) as Open;
  }

  #image(find: (name: string) => string | undefined, at: number): void {
    const isDot = find('width') === '1' && find('height') === '1';
    if (find('alt') !== undefined || isDot) return;
    const words = 'This image has no alternative text. Say what it shows, or alt="" if it only decorates.';
    this.findings.push({ key: 'image_without_alt', words, at });
  }

  #link(find: (name: string) => string | undefined, at: number): void {
    const given = find('href')?.trim();
    const href = given === undefined ? undefined : unescaped(given);
    if (href === undefined && find('name') !== undefined) return;
    if (!href || /^(#|https?:\/*)$/i.test(href)) {
      this.findings.push({ key: 'empty_link', words: 'This link leads nowhere.', at });
    } else if (/^http:/i.test(href)) {
      const words = `“${href.slice(0, 60).replace(/\uE000+/g, '…')}” is not protected: use https.`;
      this.findings.push({ key: 'insecure_link', words, at });
    } else {
      const words = linkFault(href);
      if (words !== null) this.findings.push({ key: 'broken_link', words, at });
    }
  }

  #styled(name: string, attributes: Attribute[], find: (name: string) => string | undefined): Open {
    const outer = this.#inner();
    const style = new Map(
      (find('style') ?? '').split(';').map((declaration): [string, string] => {
        const [property = '', ...value] = declaration.split(':');
        return [
          property.trim().toLowerCase(),
          value
            .join(':')
            .replace(/!\s*important/i, '')
            .trim(),
        ];
      }),
    );
    const classes = (find('class') ?? '').split(/\s+/).filter((one) => one !== '');
    const fromSheet = this.#sheets.of(name, find('id') ?? '', classes);
    const ownColour = fromSheet.colour || name === 'a' ? null : outer.colour;
    const colour = style.get('color') ?? find('color') ?? ownColour;
    const layer = style.get('background-color') ?? style.get('background') ?? find('bgcolor');
    const isCovered = style.has('background-image') || find('background') !== undefined;
    const isClear = layer === undefined || /^(transparent|none|inherit|initial|unset)$/i.test(layer);
    const background = isClear ? (fromSheet.background ? null : outer.background) : layer;
    return {
      name,
      colour: colour === 'inherit' ? outer.colour : colour,
      background: isCovered ? null : background,
      hasLetters: lettersOf(attributes) ?? outer.hasLetters,
      isHidden:
        outer.isHidden || isHidden(attributes) || name === 'style' || name === 'title' || name === 'script',
    };
  }

  close(given: string): void {
    const name = given.toLowerCase();
    // What was never opened closes nothing, and nobody nests deeper on purpose.
    const at = this.#open.findLastIndex(
      (open, index) => open.name === name || index < this.#open.length - 200,
    );
    if (at > 0 && this.#open[at]?.name === name) this.#open.length = at;
  }

  text(raw: string): void {
    if (this.#inner().name === 'style') this.#sheets.add(raw);
    const { colour, background, isHidden, hasLetters } = this.#inner();
    if (isHidden || !hasLetters || !colour || !background || raw.trim() === '') return;
    const front = colourOf(colour);
    const back = colourOf(background);
    const pair = `${colour} ${background}`;
    if (!front || !back || this.#pairs.has(pair)) return;
    this.#pairs.add(pair);
    const contrast = contrastOf(front, back);
    if (contrast >= leastContrast) return;
    const sample = raw
      .trim()
      .slice(0, 30)
      .replace(/\uE000+/g, '…');
    const words = `“${sample}” is hard to read: ${hexOf(front)} on ${hexOf(back)} has a contrast of ${contrast.toFixed(1)}, and 4.5 is needed.`;
    this.findings.push({ key: 'low_contrast', words, at: this.#at });
  }

  comment(): void {}

  doctype(): void {}
}
