/** The list that the page of one import belongs to. */
export const importsParent = { label: 'Import Data', to: '/imports' };
