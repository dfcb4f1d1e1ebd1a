/** What a new block says until somebody writes something else. */
export const placeholders = {
  text: 'Write your text here.',
  heading: 'A heading',
  product: 'Name of the product',
} as const;
