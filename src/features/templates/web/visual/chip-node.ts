import { Node } from '@tiptap/core';
import { type FieldLabels, liquidWords } from '../../rules/document/block-words.ts';
import { chipAttribute } from './liquid-html.ts';

/** A piece of Liquid among words: one thing that is moved and deleted as a whole. */
export const chipNode = (labels: FieldLabels) =>
  Node.create({
    name: 'chip',
    group: 'inline',
    inline: true,
    atom: true,
    addAttributes: () => ({
      liquid: {
        default: '',
        parseHTML: (element: HTMLElement) => element.getAttribute(chipAttribute),
        renderHTML: ({ liquid }: Record<string, string>) => ({ [chipAttribute]: liquid }),
      },
    }),
    parseHTML: () => [{ tag: `span[${chipAttribute}]`, priority: 100 }],
    renderHTML: ({ node, HTMLAttributes }) => [
      'span',
      HTMLAttributes,
      liquidWords(String(node.attrs.liquid), labels),
    ],
    renderText: ({ node }) => String(node.attrs.liquid),
  });

/** What is put among words for a piece of Liquid. */
export const chipContent = (liquid: string) => ({ type: 'chip', attrs: { liquid } });
