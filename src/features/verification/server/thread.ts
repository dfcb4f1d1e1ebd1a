/** What threads of other features use, without routes, so that a thread loads little. */
export { findDeadDomains } from './mail/dead-domains.ts';
export { createMailLookup } from './mail/mail-lookup.ts';
export { createMailServers } from './mail/mail-servers.ts';
