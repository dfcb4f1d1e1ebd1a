import { type FieldLabels, liquidWords } from '../../rules/document/block-words.ts';
import { shelter } from '../../rules/html/shelter.ts';
import { turnedColours } from '../../rules/turned-colours.ts';
import { faultyLook } from './faults.ts';
import { showLiquid } from './liquid-in-page.ts';
import { shownPicture, standIn } from './picture-address.ts';

/** What the canvas adds to the look of an email: chips, and room for what is still empty. */
const canvasStyle = `
  html { overflow: hidden; }
  body { margin: 0; padding: 20px 0; }
  a { text-decoration: underline; }
  [data-chip] { background: #e0eff4; color: #0c5870; border-radius: 3px; padding: 1px 4px; font-style: normal; }
  [data-chip='faulty'] { ${faultyLook} }
  [data-empty] { background: #eef1f3; }
  [class*="at-"] > div:empty { min-height: 48px; }
`;
const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

interface Shown {
  labels: FieldLabels;
  /** Pieces of Liquid that are marked. */
  faulty: ReadonlySet<string>;
  dark: boolean;
}

/** The page of an email as the canvas shows it. Nothing in it can be pressed or reached. */
export function framePage(html: string, { labels, faulty, dark }: Shown): Document {
  const liquid = shelter(html);
  const page = new DOMParser().parseFromString(liquid.source, 'text/html');
  showLiquid(page.body, liquid, (piece) => {
    const chip = page.createElement('span');
    chip.setAttribute('data-chip', faulty.has(piece) ? 'faulty' : '');
    chip.textContent = liquidWords(piece, labels);
    return chip;
  });
  // Links cannot be reached here; who listens to the screen has the words of each block.
  for (const link of page.querySelectorAll('a')) link.removeAttribute('href');
  for (const picture of page.querySelectorAll('img')) showPicture(picture);
  for (const column of page.querySelectorAll<HTMLElement>('div[class*="at-"]'))
    if (isColumn.test(column.className) && !column.querySelector('[class*="at-"]'))
      column.style.minHeight = '72px';
  const style = page.createElement('style');
  style.textContent = canvasStyle + (dark ? turnedColours : '');
  page.head.append(style);
  return page;
}

/** A column has the place of its columns and its own: `at-2-0`. */
const isColumn = /(^| )at-\d+-\d+( |$)/;

function showPicture(picture: HTMLImageElement): void {
  const address = picture.getAttribute('src');
  if (address) {
    const shown = shownPicture(address);
    picture.setAttribute('src', 'src' in shown ? shown.src : standIn(shown.host));
    return;
  }
  picture.src = nothing;
  picture.setAttribute('data-empty', '');
  picture.style.height = '140px';
}

/**
 * Makes a page the same as another, and leaves alone what is the same already, so that pictures are
 * not drawn anew at each key.
 */
export function makeSame(there: Element, wanted: Element): void {
  for (const { name } of [...there.attributes]) if (!wanted.hasAttribute(name)) there.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (there.getAttribute(name) !== value) there.setAttribute(name, value);
  const now = [...there.childNodes];
  const next = [...wanted.childNodes];
  next.forEach((node, at) => {
    const old = now[at];
    if (!old) there.append(there.ownerDocument.importNode(node, true));
    else if (old.isEqualNode(node)) return;
    else if (isElement(old) && isElement(node) && old.nodeName === node.nodeName) makeSame(old, node);
    else old.replaceWith(there.ownerDocument.importNode(node, true));
  });
  for (const old of now.slice(next.length)) old.remove();
}

/** By its kind, not its class: each page has classes of its own. */
const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE;
