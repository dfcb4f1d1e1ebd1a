import type { Block } from './places.ts';

export type BlockType = Block['type'];

export const blockNames: Record<BlockType, string> = {
  text: 'Text',
  heading: 'Heading',
  image: 'Image',
  logo: 'Logo',
  button: 'Button',
  divider: 'Divider',
  spacer: 'Spacer',
  social: 'Social links',
  menu: 'Menu',
  product: 'Product',
  footer: 'Footer',
  html: 'HTML',
  columns: 'Columns',
};

export const blockTypes = Object.keys(blockNames) as [BlockType, ...BlockType[]];
