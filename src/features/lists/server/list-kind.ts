import type { GroupKind } from '#features/memberships/server/index.ts';

/** Where the contacts on a list are shown. */
export const linkOf = (id: number): string => `/email-database?list=${id}`;

export const listKind: GroupKind = {
  kind: 'list',
  tables: { groups: 'lists', members: 'list_members', key: 'list_id', leavings: 'topic_leavings' },
  link: linkOf,
  icon: 'list',
};
