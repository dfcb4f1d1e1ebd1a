/**
 * Providers that take the mail of many domains: the domain of their mail servers (MX records), and
 * the names that people know.
 */
export const knownReceivers = [
  { receiver: 'google.com', names: 'Gmail and Google Workspace' },
  { receiver: 'outlook.com', names: 'Outlook, Hotmail and Microsoft 365' },
  { receiver: 'yahoodns.net', names: 'Yahoo and AOL' },
  { receiver: 'icloud.com', names: 'Apple iCloud' },
  { receiver: 'mimecast.com', names: 'companies behind Mimecast' },
] as const;

/** Whom people know by this domain of mail servers; null when it is none of these. */
export const namesOfReceiver = (domain: string): string | null =>
  knownReceivers.find(({ receiver }) => receiver === domain)?.names ?? null;
