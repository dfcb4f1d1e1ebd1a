import { port } from '#platform/server/ports.ts';
import type { MailServers } from './mail-servers.ts';

/** Who takes the mail of which domain. What is found is kept in `domain_mail`. */
export const mailServersPort = port<Pick<MailServers, 'findAll'>>('verification.mail-servers');
