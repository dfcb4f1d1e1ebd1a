import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useState } from 'react';
import type { ContactSelection } from '../contract.ts';
import type { ContactDialogProps } from './contact-dialog-props.ts';

/*
 * What other screens put on themselves. The feature's door is part of the first page load, so the parts behind it are
 * fetched when a screen uses them.
 */

const LazyAdd = lazy(() =>
  import('./add-email-dialog.tsx').then(({ AddEmailDialog: Dialog }) => ({ default: Dialog })),
);
const LazyClean = lazy(() =>
  import('./clean-dialog.tsx').then(({ CleanDialog: Dialog }) => ({ default: Dialog })),
);

/** Adds one address by hand. */
export const AddEmailDialog = (props: ContactDialogProps) => <Deferred dialog={LazyAdd} {...props} />;

/** Removes duplicate, invalid and non-UK contacts: shows how many of each first, and offers to bring them back. */
export const CleanDialog = (props: ContactDialogProps) => <Deferred dialog={LazyClean} {...props} />;

/** Fetched when it is opened first; then it stays, so that it can fade out. */
function Deferred({
  dialog: Dialog,
  ...props
}: ContactDialogProps & { dialog: LazyExoticComponent<ComponentType<ContactDialogProps>> }) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  return <Suspense fallback={null}>{wanted && <Dialog {...props} />}</Suspense>;
}

/** Downloads contacts, about `count` of them, as a file and says so. Never rejects. */
export async function downloadContacts(selection: ContactSelection, count?: number): Promise<void> {
  const { downloadContacts: download } = await import('./export-contacts.ts');
  await download(selection, count);
}

/** What a clean would remove and what would stay; without counts while they are counted. */
export const CleanPreview = lazy(() =>
  import('./clean-preview.tsx').then((module) => ({ default: module.CleanPreview })),
);
