/** The addresses in messages, and their signatures. It has no state, no table and no call. */
export { createLinkKeys, type LinkKeys } from './link-keys.ts';
export {
  type CountedLink,
  countedLinks,
  type LinkOfTemplate,
  type LinkSite,
  messageLinks,
} from './mailing-links.ts';
