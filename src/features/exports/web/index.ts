export { downloadContacts, type ExportChoice } from './export-contacts.ts';
export { ExportButton, ExportItems, type ExportProps } from './export-menu.tsx';
