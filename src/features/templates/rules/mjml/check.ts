import { Parser } from 'htmlparser2';
import { formatNumber } from '#platform/shared/words.ts';

/** Something wrong with MJML. Lines begin at 1. */
export interface MjmlFault {
  words: string;
  line: number | null;
}

const deepest = 30;
const mostElements = 3_000;

/**
 * What MJML itself would not say, or only by running out of memory: other files, what is too deep
 * or too much, and elements without an end. `words` are in lines of the source that is given.
 */
export function faultsBefore(source: string): MjmlFault[] {
  const checker = new Checker();
  const parser = new Parser(checker, { xmlMode: true, decodeEntities: false });
  checker.position = () => parser.startIndex;
  checker.isClosed = () => source[parser.endIndex - 1] === '/';
  parser.end(source);
  return checker.found.map(({ words, at }) => ({ words, line: lineOf(source, at) }));
}

const lineOf = (source: string, at: number): number => source.slice(0, at).split('\n').length;

/** Only the elements of MJML count: HTML stands in them as text. */
const isOwn = (name: string): boolean => /^mj(ml$|-)/i.test(name);

class Checker {
  readonly found: { words: string; at: number }[] = [];
  position = (): number => 0;
  /** Whether the tag that is read ends with `/>`. */
  isClosed = (): boolean => false;
  #open: { name: string; at: number; isClosed: boolean }[] = [];
  #elements = 0;
  #isOver = false;

  #say(words: string, at = this.position()): void {
    // One fault of a kind is enough to stop at, and a million would be no help.
    if (this.found.length < 20) this.found.push({ words, at });
  }

  onopentag(name: string): void {
    if (this.#isOver || !isOwn(name)) return;
    const at = this.position();
    this.#elements++;
    this.#open.push({ name, at, isClosed: this.isClosed() });
    if (name.toLowerCase() === 'mj-include')
      this.#say('<mj-include> is not allowed: a template holds all of itself. Put the content here instead.');
    if (this.#open.length > deepest) this.#stop(`More than ${deepest} elements stand inside each other.`);
    else if (this.#elements > mostElements)
      this.#stop(`There are more than ${formatNumber(mostElements)} elements.`);
  }

  #stop(words: string): void {
    this.#say(words);
    this.#isOver = true;
  }

  onclosetag(name: string, isImplied: boolean): void {
    if (this.#isOver || !isOwn(name)) return;
    const last = this.#open.pop();
    if (isImplied && last && !last.isClosed)
      this.#say(`<${last.name}> has no end: write </${last.name}> after it.`, last.at);
  }
}
