import { type Brand, type TemplateDocument, templateDocument } from '../document/schema.ts';
import { colourOf, contrastOf, hexOf } from '../html/contrast.ts';
import type { Look } from './look.ts';

/** A block as a preset writes it. Its id comes with the document. */
export type Block = { type: string; columns?: readonly (readonly Block[])[]; [setting: string]: unknown };

export function wholeDocument(
  named: Pick<TemplateDocument, 'title' | 'preheader'>,
  look: Look,
  blocks: readonly Block[],
): TemplateDocument {
  let last = 0;
  const withId = (block: Block): object => {
    const id = `b${++last}`;
    return { ...block, id, ...(block.columns && { columns: block.columns.map((one) => one.map(withId)) }) };
  };
  const { ground, accent, ink, headings } = look;
  return templateDocument.parse({
    version: 1,
    ...named,
    look: {
      background: ground,
      text: ink,
      link: accent,
      button: accent,
      font: 'Helvetica',
      headingFont: headings,
      corner: 5,
    },
    blocks: blocks.map(withId),
  });
}

/** A colour with so much white that words can stand on it. */
function paled(colour: string): string {
  const parts = colourOf(colour) ?? [255, 255, 255];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Math.round(255 - (255 - part) * 0.09));
  return hexOf([red, green, blue]);
}

/** Whether words of a colour can be read on white and on the palest of it. */
function isReadable(colour: string): boolean {
  const [words, ground] = [colourOf(colour), colourOf(paled(colour))];
  return !!words && !!ground && contrastOf(words, ground) >= 4.5;
}

/**
 * A preset in the colours, the font and with the logo of a brand. Its strong colour becomes that of
 * the buttons, where that carries words, too; its pale ground follows.
 */
export function withBrandOn(document: TemplateDocument, preset: Look, brand: Brand): TemplateDocument {
  const { logo, logoAlt, ...look } = brand;
  const text = look.text ?? preset.ink;
  const button = look.button ?? preset.accent;
  const inWords = isReadable(button) ? button : text;
  const ground = look.background ?? preset.ground;
  const blocks: TemplateDocument['blocks'] = JSON.parse(
    JSON.stringify(document.blocks)
      .replaceAll(`color:${preset.accent}`, `color:${inWords}`)
      .replaceAll(`"text":"${preset.accent}"`, `"text":"${inWords}"`)
      .replaceAll('"text":"#ffffff"', `"text":"${look.buttonText ?? '#ffffff'}"`)
      .replaceAll('"background":"#ffffff"', `"background":"${look.buttonText ?? '#ffffff'}"`)
      .replaceAll('color:#ffffff', `color:${look.buttonText ?? '#ffffff'}`)
      .replaceAll(`"${preset.accent}"`, `"${button}"`)
      .replaceAll(`"${preset.tint}"`, `"${look.button ? paled(button) : preset.tint}"`)
      .replaceAll(`"${preset.ground}"`, `"${ground}"`),
  );
  const [head] = blocks;
  const headed =
    logo && head
      ? [
          {
            id: head.id,
            type: 'logo',
            src: logo,
            alt: logoAlt ?? '',
            width: 160,
            align: 'left',
            space: head.space,
          },
          ...blocks.slice(1),
        ]
      : blocks;
  const fonts = look.font ? { headingFont: look.font } : {};
  return templateDocument.parse({
    ...document,
    blocks: headed,
    look: { ...document.look, ...fonts, ...look },
  });
}
