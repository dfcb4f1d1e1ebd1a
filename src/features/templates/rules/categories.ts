/** What a template is for, in the order in which people choose. */
export const templateCategories = [
  'newsletter',
  'promotional',
  'transactional',
  'welcome',
  'abandoned_cart',
  'custom',
] as const;
export type TemplateCategory = (typeof templateCategories)[number];

export const categoryLabels: Readonly<Record<TemplateCategory, string>> = {
  newsletter: 'Newsletter',
  promotional: 'Promotional',
  transactional: 'Transactional',
  welcome: 'Welcome Series',
  abandoned_cart: 'Abandoned Cart',
  custom: 'Custom',
};
