import type { GroupKind } from '#features/memberships/server/index.ts';

/** Where the contacts with a tag are shown. */
export const linkOf = (id: number): string => `/email-database?tag=${id}`;

export const tagKind: GroupKind = {
  kind: 'tag',
  tables: { groups: 'tags', members: 'contact_tags', key: 'tag_id' },
  link: linkOf,
  icon: 'tag',
};
