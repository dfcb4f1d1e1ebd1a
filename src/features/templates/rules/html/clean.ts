import { placesIn } from '../problem.ts';
import {
  addresses,
  dropped,
  elements,
  isAllowedAttribute,
  isOutlookAttribute,
  isOutlookElement,
  told,
} from './allowed.ts';
import { cleanDeclarations, cleanSheet } from './css.ts';
import { type Attribute, type HtmlHandler, readHtml } from './reader.ts';
import { type Shelter, shelter } from './shelter.ts';

/** Something that was left out of pasted HTML. */
export interface LeftOut {
  /** What it was, for a sentence: `a script`. */
  what: string;
  count: number;
  /** Where the first one stood. */
  line: number;
}

export interface CleanHtml {
  html: string;
  leftOut: LeftOut[];
  /**
   * Addresses of fonts and their style sheets, which readers' mail programs fetch from elsewhere.
   */
  fonts: string[];
}

/**
 * Pasted HTML without what runs, sends or fetches more than pictures and fonts. It is read piece by
 * piece and written anew: only elements and attributes of a list, text without `<`, values in
 * quotes. So a browser reads exactly these pieces in it, however the HTML was written. Outlook's
 * conditional comments stay, cleaned in the same way, and so does Liquid.
 */
export function cleanHtml(given: string): CleanHtml {
  const liquid = shelter(given);
  const found = new Map<string, LeftOut>();
  const fonts = new Set<string>();
  const placeOf = placesIn(liquid.source);
  const leave = (what: string, at: number): void => {
    const before = found.get(what);
    if (before) before.count++;
    else found.set(what, { what, count: 1, line: placeOf(at).line });
  };
  const html = cleaned(liquid.source, { liquid, leave, fonts, isOutlook: false });
  return { html: liquid.restored(html), leftOut: [...found.values()], fonts: [...fonts] };
}

interface Cleaning {
  liquid: Shelter;
  leave: (what: string, at: number) => void;
  fonts: Set<string>;
  /** Inside a conditional comment. */
  isOutlook: boolean;
}

function cleaned(source: string, cleaning: Cleaning): string {
  const writer = new Writer(cleaning);
  readHtml(source, writer);
  return writer.html();
}

/** Hosts whose style sheets hold nothing but fonts. */
const fontSheets =
  /^https:\/\/(fonts\.googleapis\.com|use\.typekit\.net|fonts\.bunny\.net|fast\.fonts\.net)\//;

class Writer implements HtmlHandler {
  readonly #cleaning: Cleaning;
  #written = '';
  /**
   * The element that is left out with all that stands in it, and how deep in elements of its name.
   */
  #skipped: { name: string; depth: number } | null = null;
  /** The style sheet that is being read. */
  #sheet: { text: string; at: number } | null = null;

  constructor(cleaning: Cleaning) {
    this.#cleaning = cleaning;
  }

  html(): string {
    if (this.#sheet) this.close('style');
    return this.#written;
  }

  open(given: string, attributes: Attribute[], at: number, isClosed: boolean): void {
    const name = given.toLowerCase();
    if (this.#skipped) {
      if (this.#skipped.name === name && !isClosed) this.#skipped.depth++;
      return;
    }
    const { isOutlook, leave } = this.#cleaning;
    const drop = isOutlook && isOutlookElement(name) ? undefined : dropped[name];
    if (drop) {
      leave(drop, at);
      if (!isClosed || !['svg', 'math', 'xml'].includes(name)) this.#skipped = { name, depth: 1 };
    } else if (elements.has(name)) this.#element(name, attributes, at, isClosed);
    // Outlook reads its own elements as XML, where large letters matter.
    else if (isOutlook && isOutlookElement(name)) {
      this.#element(given, attributes, at, isClosed);
    } else if (told[name]) leave(told[name], at);
  }

  #element(name: string, attributes: Attribute[], at: number, isClosed: boolean): void {
    if (name === 'meta' && !isHarmlessMeta(attributes)) {
      this.#cleaning.leave('a meta tag', at);
      return;
    }
    if (name === 'link' && !this.#keepsFont(attributes, at)) return;
    const written = attributes.map((attribute) => this.#attribute(name, attribute)).join('');
    this.#written += `<${name}${written}${isClosed && this.#cleaning.isOutlook ? ' /' : ''}>`;
    if (name === 'style') this.#sheet = { text: '', at };
  }

  close(given: string): void {
    const name = given.toLowerCase();
    if (this.#skipped) {
      if (this.#skipped.name === name && --this.#skipped.depth === 0) this.#skipped = null;
      return;
    }
    if (this.#sheet && name === 'style') this.#endSheet(this.#sheet);
    if (elements.has(name)) this.#written += `</${name}>`;
    else if (this.#cleaning.isOutlook && isOutlookElement(name)) this.#written += `</${given}>`;
  }

  text(raw: string): void {
    if (this.#skipped) return;
    if (this.#sheet) this.#sheet.text += raw;
    else this.#written += raw.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }

  comment(content: string, at: number): void {
    if (this.#skipped) return;
    if (this.#sheet) this.#sheet.text += `/**/`;
    else this.#written += conditional(content, at, this.#cleaning);
  }

  doctype(content: string): void {
    const isKnown = /^doctype html( public "[\w\s./:-]*"( "[\w\s./:-]*")?)?$/i.test(
      content.replace(/\s+/g, ' ').trim(),
    );
    if (!this.#skipped && /^doctype/i.test(content))
      this.#written += isKnown ? `<!${content}>` : '<!DOCTYPE html>';
  }

  #endSheet({ text, at }: { text: string; at: number }): void {
    const { leave, fonts } = this.#cleaning;
    const { css, removed, fonts: fetched } = cleanSheet(text);
    for (const what of removed) leave(what, at);
    for (const font of fetched) fonts.add(font);
    this.#written += css;
    this.#sheet = null;
  }

  #keepsFont(attributes: Attribute[], at: number): boolean {
    const href = attributeNamed(attributes, 'href').trim();
    const isFont =
      attributeNamed(attributes, 'rel').trim().toLowerCase() === 'stylesheet' && fontSheets.test(href);
    if (isFont) this.#cleaning.fonts.add(href);
    else this.#cleaning.leave('a link to another file', at);
    return isFont;
  }

  /** A condition around an attribute stays, also when the attribute does not. */
  #attribute(element: string, attribute: Attribute): string {
    const [, silent = '', name = ''] = /^((?:\uE000\d+\uE001)*)(.*)$/s.exec(attribute.name) ?? [];
    const words = silent.match(/\uE000\d+\uE001/g) ?? [];
    if (!words.every((word) => this.#cleaning.liquid.isSilent(word))) {
      this.#cleaning.leave('a value without quotes', attribute.at);
      return '';
    }
    const rest = name === '' ? '' : this.#named(element, { ...attribute, name });
    return words.map((word) => ` ${word}`).join('') + rest;
  }

  #named(element: string, { name, value, at }: Attribute): string {
    const { liquid, leave, isOutlook, fonts } = this.#cleaning;
    if (!isAllowedAttribute(name) && !(isOutlook && isOutlookAttribute(name))) {
      const what = reasonFor(name);
      if (what) leave(what, at);
      return '';
    }
    let kept = value;
    if (name === 'style') {
      const { css, removed, fonts: fetched } = cleanDeclarations(value);
      for (const what of removed) leave(what, at);
      for (const font of fetched) fonts.add(font);
      kept = css;
    } else if (name === 'target') kept = '_blank';
    else if (addresses.has(name) && !leadsOut(value, liquid, element !== 'a' && element !== 'area')) {
      leave(`an address that starts with “${schemeOf(liquid.without(value))}”`, at);
      return '';
    }
    const whole = liquid.restoredInQuotes(escaped(kept));
    if (whole === null) leave('a value with both kinds of quotes', at);
    return whole === null || (name === 'style' && kept === '' && value !== '') ? '' : ` ${name}="${whole}"`;
  }
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function reasonFor(name: string): string | null {
  if (/^on/.test(name)) return 'an event handler';
  if (
    /^(formaction|action|ping|srcdoc|poster|manifest|dynsrc|lowsrc|data|codebase|classid|xlink:href)$/.test(
      name,
    )
  )
    return `the attribute “${name}”`;
  return name.startsWith('mc:') ? 'a Mailchimp editing mark' : null;
}

function attributeNamed(attributes: readonly Attribute[], name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? '';
}

const metaNames =
  /^(viewport|format-detection|color-scheme|supported-color-schemes|x-apple-disable-message-reformatting|author|generator|description|robots|apple-mobile-web-app-capable)$/i;

function isHarmlessMeta(attributes: readonly Attribute[]): boolean {
  const equivalent = attributeNamed(attributes, 'http-equiv').trim().toLowerCase();
  if (equivalent) return equivalent === 'content-type' || equivalent === 'x-ua-compatible';
  const name = attributeNamed(attributes, 'name').trim();
  return name === '' || metaNames.test(name);
}

/**
 * Whether an address is one of those that a mail may hold. Liquid in it is checked once it is
 * filled.
 */
function leadsOut(value: string, liquid: Shelter, isFetched: boolean): boolean {
  const allowed = isFetched ? /^(https?|cid):/ : /^(https?|mailto|tel|sms):/;
  const pieces = [liquid.without(value), ...value.split(/\uE000\d+\uE001/)];
  return pieces.every((piece) => {
    // Browsers skip these in an address.
    const text = piece.replace(/[\s\p{Cc}]/gu, '').toLowerCase();
    if (
      /(javascript|vbscript|data|file|blob|livescript|mocha|about|view-source):/.test(text) &&
      !/^(https?|mailto):/.test(text)
    )
      return false;
    return !/^[a-z][a-z\d+.-]*:/.test(text) || allowed.test(text) || /^[a-z\d.-]+:\d/.test(text);
  });
}

function schemeOf(value: string): string {
  return /^[^:]{0,20}:?/.exec(value.replace(/[\s\p{Cc}]/gu, ''))?.[0] ?? '';
}

// In these no two neighbours take the same character, so that no text is read twice.
const condition = /^\s*\[\s*if\s[\w\s!&|().]+\]\s*>/i;
const revealing = /^\[\s*(if\s[\w\s!&|().]+|endif\s*)\]$/i;

/** A conditional comment, written anew. Any other comment is left out. */
function conditional(content: string, at: number, cleaning: Cleaning): string {
  // `<![if !mso]>` and its end, which only Outlook knows.
  const revealed = revealing.exec(content.trim())?.[1]?.trimEnd();
  if (revealed) return /^endif/i.test(revealed) ? '<!--<![endif]-->' : `<!--[${revealed}]><!-->`;
  if (/^\s*<!\[endif\]\s*$/i.test(content)) return '<!--<![endif]-->';
  const start = condition.exec(content)?.[0];
  if (start === undefined || cleaning.isOutlook) return '';
  const opening = start.replace(/\s+/g, ' ').trim();
  const rest = content.slice(start.length);
  if (/^\s*<!(--)?\s*$/.test(rest)) return `<!--${opening}<!-->`;
  const inner = /^([\s\S]*)<!\[endif\]\s*$/i.exec(rest)?.[1];
  if (inner === undefined) return '';
  const html = cleaned(inner, { ...cleaning, isOutlook: true });
  if (/--!?>|<!/.test(html)) {
    cleaning.leave('a comment for Outlook', at);
    return '';
  }
  return `<!--${opening}${html}<![endif]-->`;
}
