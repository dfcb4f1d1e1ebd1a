import { IconUser } from '@tabler/icons-react';
import { listContacts } from '#features/audience/contract.ts';
import { call } from '#platform/web/api.ts';
import type { PaletteFinder } from '#platform/web/feature.ts';
import { capitalise } from '#platform/web/format.ts';

const mostFound = 5;

/**
 * Contacts whose address contains the typed text, newest first, each with its status. Choosing one
 * opens it beside the table.
 */
const findContacts: PaletteFinder = async (typed, signal) => {
  const { emails } = await call(listContacts, { query: { search: typed, limit: mostFound }, signal });
  return emails.map(({ id, address, status }) => ({
    key: `contact-${id}`,
    label: address,
    description: capitalise(status),
    icon: IconUser,
    to: '/email-database',
    search: { search: address.slice(0, 320), open: id },
  }));
};

export default findContacts;
