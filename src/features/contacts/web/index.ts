export { AddEmailDialog } from './add-email-dialog.tsx';
export { CleanDialog } from './clean-dialog.tsx';
export { refreshContacts, statsOptions } from './contact-queries.ts';
export { useDeleteEmails } from './use-delete-emails.tsx';
export { useSuppressEmail } from './use-suppress-email.ts';
