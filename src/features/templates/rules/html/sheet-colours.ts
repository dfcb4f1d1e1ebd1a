/** What a style sheet sets of an element. */
export interface FromSheet {
  colour: boolean;
  background: boolean;
}

interface Rule extends FromSheet {
  tag: string;
  id: string;
  classes: string[];
}

/** More are not read: a mail has a few hundred. */
const mostRules = 2_000;

/**
 * Which elements style sheets colour. Only the last part of a selector is compared, and rules for
 * phones or the dark are left out: it answers where a colour may come from elsewhere, not which.
 */
export class SheetColours {
  /** By an id, class or tag that the element must have. */
  #rules = new Map<string, Rule[]>();
  #count = 0;

  /** Takes the content of a `style` element. */
  add(css: string): void {
    let depth = 0;
    for (const piece of css.replace(/<!--|-->/g, '').split('}')) {
      const body = piece.lastIndexOf('{');
      if (depth === 0 && body >= 0 && piece.indexOf('{') === body)
        this.#addRule(piece.slice(0, body), piece.slice(body + 1));
      depth = Math.max(0, depth + piece.split('{').length - 2);
    }
  }

  #addRule(selectors: string, declarations: string): void {
    const sets = (names: RegExp) => declarations.split(';').some((one) => names.test(one.trim()));
    const colour = sets(/^color\s*:/i);
    const background = sets(/^background(-color|-image)?\s*:/i);
    if (!colour && !background) return;
    for (const selector of selectors.split(',')) {
      const last =
        selector
          .trim()
          .split(/[\s>+~]/)
          .at(-1) ?? '';
      if (/:(?!link|visited|first|last|nth|not)/i.test(last) || this.#count >= mostRules) continue;
      const plain = last.split(/[:[]/)[0] ?? '';
      const [tag = ''] = /^[a-z][\w-]*/i.exec(plain) ?? [];
      const [, id = ''] = /#([\w-]+)/.exec(plain) ?? [];
      const classes = [...plain.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name);
      const key = id ? `#${id}` : classes[0] ? `.${classes[0]}` : tag.toLowerCase() || '*';
      const rules = this.#rules.get(key) ?? [];
      rules.push({ tag: tag.toLowerCase(), id, classes, colour, background });
      this.#rules.set(key, rules);
      this.#count++;
    }
  }

  of(tag: string, id: string, classes: readonly string[]): FromSheet {
    const found: FromSheet = { colour: false, background: false };
    if (this.#count === 0) return found;
    for (const key of ['*', tag, `#${id}`, ...classes.map((name) => `.${name}`)]) {
      for (const rule of this.#rules.get(key) ?? []) {
        const isMeant =
          (rule.tag === '' || rule.tag === tag) &&
          (rule.id === '' || rule.id === id) &&
          rule.classes.every((name) => classes.includes(name));
        if (!isMeant) continue;
        found.colour ||= rule.colour;
        found.background ||= rule.background;
      }
    }
    return found;
  }
}
