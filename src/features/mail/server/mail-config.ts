import type { Config } from '#platform/server/config.ts';

/** The settings of the installation that its mail needs. */
export type MailConfig = Pick<Config, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
