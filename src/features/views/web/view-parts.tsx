/** Fetched together, because whoever shows one of them shows them all. */
export { ViewDialog } from './view-dialog.tsx';
export { ViewMenu } from './view-menu.tsx';
export { ViewSave } from './view-save.tsx';
