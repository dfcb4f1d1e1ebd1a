import { decodeHTML } from 'entities';
import { type Attribute, type HtmlHandler, readHtml } from '#features/templates/rules/html/reader.ts';
import { isHidden, lettersOf } from '#features/templates/rules/html/text.ts';
import { masked, spansOf } from '#features/templates/rules/liquid/spans.ts';

/** What a filter sees of a message. */
export interface SeenMessage {
  /** With the words that readers press. Without those whose host is filled in. */
  links: { href: string; words: string }[];
  /** Pictures, without the dots that count. */
  images: number;
  /** Words that are shown, outside of links. */
  words: string;
  /** Words that are there and are not shown. */
  hidden: string;
}

/** About how many letters a merge field is filled with. */
const filled = 'x'.repeat(12);

/** Reads HTML with its Liquid as a filter reads the message that it becomes. */
export function readMessage(html: string): SeenMessage {
  const reader = new MessageReader();
  readHtml(masked(html, spansOf(html).spans), reader);
  return reader.seen;
}

interface Open {
  name: string;
  /** It or what it stands in is not shown, whatever is in it. */
  isHidden: boolean;
  /** Letters have a size. What stands in it may have its own. */
  hasLetters: boolean;
}

const empty = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const unread = new Set(['style', 'script', 'title', 'head']);

class MessageReader implements HtmlHandler {
  seen: SeenMessage = { links: [], images: 0, words: '', hidden: '' };
  #open: Open[] = [];
  #link: { href: string; words: string } | null = null;

  open(given: string, attributes: Attribute[]): void {
    const name = given.toLowerCase();
    const find = (wanted: string) => attributes.find((one) => one.name === wanted)?.value.trim() ?? '';
    const isDot = find('width') === '1' && find('height') === '1';
    if (name === 'img' && !isDot) this.seen.images++;
    if (name === 'a') this.#follow(find('href'));
    if (empty.has(name)) return;
    const outer = this.#open.at(-1);
    this.#open.push({
      name,
      isHidden: outer?.isHidden || isHidden(attributes),
      hasLetters: lettersOf(attributes) ?? outer?.hasLetters ?? true,
    });
  }

  #follow(href: string): void {
    this.#link = { href, words: '' };
    if (/^https?:\/\/[^/?#\uE000]+/iu.test(href)) this.seen.links.push(this.#link);
  }

  close(given: string): void {
    const name = given.toLowerCase();
    if (name === 'a') this.#link = null;
    const at = this.#open.findLastIndex((one, place) => one.name === name || place < this.#open.length - 200);
    if (at >= 0 && this.#open[at]?.name === name) this.#open.length = at;
  }

  text(raw: string): void {
    if (this.#open.some(({ name }) => unread.has(name))) return;
    const words = decodeHTML(raw)
      .replace(/\uE000+/gu, filled)
      .replace(/\s+/gu, ' ');
    const inside = this.#open.at(-1);
    if (inside?.isHidden || inside?.hasLetters === false) this.seen.hidden += words;
    else if (this.#link) this.#link.words += words;
    else this.seen.words += words;
  }

  comment(): void {}

  doctype(): void {}
}
