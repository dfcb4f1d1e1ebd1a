import postcss, { type ChildNode, type Declaration } from 'postcss';

export interface CleanCss {
  css: string;
  /** What was taken out, in words. */
  removed: string[];
  /** Addresses of fonts that are fetched from elsewhere. */
  fonts: string[];
}

/**
 * A `<` that compares nothing, as `(width < 600px)` does. What a style sheet holds ends at the
 * first `</style`, whatever is around it, and a comment that goes or a value that is empty may have
 * stood inside that. Liquid can take away the blanks beside it.
 */
const stray = /<(?!=|\d|\s+[\w(.])/g;

/** A style sheet without what fetches other sheets or runs something. */
export function cleanSheet(source: string): CleanCss {
  const result: CleanCss = { css: '', removed: [], fonts: [] };
  // Old pages hide their style sheets from older browsers with these.
  const shown = source.replace(/<!--|-->/g, '');
  const bare = shown.replace(stray, '');
  if (bare !== shown) result.removed.push('a “<” in a style sheet');
  try {
    const root = postcss.parse(bare);
    root.walk((node) => visit(node, result));
    result.css = root.toString().replace(stray, '');
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'CssSyntaxError') throw error;
    result.removed.push('a style sheet that cannot be read');
  }
  return result;
}

/** The content of a `style` attribute. */
export function cleanDeclarations(source: string): CleanCss {
  const braces = /[{}]/.test(source);
  const { css, removed, fonts } = cleanSheet(braces ? '' : `a{${source}}`);
  if (braces && source.trim() !== '') removed.push('a style that cannot be read');
  return { css: /^a\{([\s\S]*)\}$/.exec(css)?.[1]?.trim() ?? '', removed, fonts };
}

const keptRules = new Set([
  'media',
  'font-face',
  'supports',
  'keyframes',
  '-webkit-keyframes',
  'layer',
  'container',
]);
/** `@-ms-viewport` and the like, which mail programs for Windows phones need. */
const viewports = /^(-ms-|-o-)?viewport$/;

function visit(node: ChildNode, result: CleanCss): void {
  // Comments hide things from those who check, and nobody reads them in a mail.
  if (node.type === 'comment') node.remove();
  else if (node.type === 'decl') checkDeclaration(node, result);
  else if (node.type === 'atrule') {
    const name = plain(node.name).toLowerCase();
    const isKept = keptRules.has(name) || viewports.test(name) || (node.name === name && name === 'page');
    if (isKept && node.name === name && !runs(node.params)) return;
    result.removed.push(`@${name.slice(0, 30)}`);
    node.remove();
  } else if (runs(node.selector)) {
    result.removed.push('a style rule');
    node.remove();
  }
}

function checkDeclaration(node: Declaration, { removed, fonts }: CleanCss): void {
  const raw = `${node.raws.value?.raw ?? ''} ${node.value}`;
  const name = plain(node.prop)
    .replace(/\uE000\d+\uE001/g, '')
    .trim()
    .toLowerCase();
  const isOdd =
    !/^(-{0,2}[a-z][\w-]*|[*_][a-z-]+)$/.test(name) || /behavior|binding|^-ms-accelerator/.test(name);
  if (isOdd || runs(raw) || runs(node.raws.between ?? '')) {
    removed.push(`the style “${name.slice(0, 30)}”`);
    node.remove();
    return;
  }
  // A value or an `!important` that hides a comment is written without it.
  delete node.raws.value;
  if (node.raws.important?.includes('/*')) delete node.raws.important;
  const parent = node.parent;
  if (name === 'src' && parent?.type === 'atrule')
    for (const [, url = ''] of plain(raw).matchAll(/url\(\s*["']?(https?:[^"')\s]+)/gi)) fonts.push(url);
}

/** Text as a browser reads it: without comments, and with its escapes resolved. */
function plain(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?(\*\/|$)/g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code) => {
      const point = Number.parseInt(code, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
    })
    .replace(/\\(\n|[\s\S])/g, '$1');
}

/**
 * Whether old or new browsers would run something of it, or fetch more than a picture or a font.
 */
function runs(css: string): boolean {
  const text = plain(css).replace(/[\s\p{Cc}]/gu, '');
  if (/expression\(|javascript:|vbscript:|livescript:|mocha:|@import|-moz-binding/i.test(text)) return true;
  const urls = [...text.matchAll(/url\(["']?([^"')]*)/gi)].map(([, url = '']) => url);
  return urls.some((url) => /^[a-z][a-z\d+.-]*:/i.test(url) && !/^(https?|cid):/i.test(url));
}
