import { z } from 'zod';
import { selectionWith } from '#features/audience/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import type { AddedFilters } from '#platform/shared/added-filter.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/**
 * What lists and tags have in common: contacts are added to them and removed from them, and both
 * can be undone.
 */

/** More than anybody pastes. More of them come as a file. */
export const mostAddresses = 10_000;

const ofAddresses = z.strictObject({
  emails: z
    .array(z.string().max(1000))
    .min(1)
    .max(mostAddresses)
    .describe(
      'Addresses of contacts. One that a contact had before a correction or a merge means that contact. Those that are no ' +
        'contacts are not added; the answer names them.',
    ),
});

/** Contacts by id, by address, or all that match a filter. */
const contactsWith = (added: AddedFilters) => z.union([...selectionWith(added).options, ofAddresses]);
export type ChosenContacts = z.output<ReturnType<typeof contactsWith>>;

const count = z.number().int();
const unknown = z
  .object({ count, addresses: z.array(z.string()).describe('All of them, as they were given.') })
  .describe('Addresses among `emails` that are no contacts.');
const changeId = count.nullable().describe('To undo it; null when nothing was changed.');

export const membersAdded = z.object({
  added: count,
  alreadyThere: count.describe('They keep the date and the source that they have.'),
  leftOut: count.describe(
    'Contacts who have left this list themselves, on the preference page of an email. They stay off it. 0 of a tag.',
  ),
  unknown,
  changeId,
});
export type MembersAdded = z.output<typeof membersAdded>;

export const membersRemoved = z.object({
  removed: count,
  notThere: count.describe('Contacts that were meant and not there anyway.'),
  unknown,
  changeId,
});
export type MembersRemoved = z.output<typeof membersRemoved>;

/** The words that the calls of lists and those of tags differ by. */
interface Wording {
  /** `/api/lists` */
  path: string;
  /** The group of the calls in the API document. */
  tag: string;
  add: string;
  remove: string;
}

/** The calls that add contacts to lists or tags, and remove them. */
export const memberCalls = ({ path, tag, add, remove }: Wording, added: AddedFilters) => {
  const body = contactsWith(added);
  const call = {
    path: `${path}/:id/contacts`,
    access: access.member('editor', 'contacts:write'),
    tag,
    params: idParams,
    body,
    limits: `Up to ${mostAddresses} addresses, 100,000 numbers, or a filter of any size.`,
  } as const;
  return {
    add: endpoint({ ...call, method: 'POST', summary: add, ...orTask(membersAdded) }),
    remove: endpoint({ ...call, method: 'DELETE', summary: remove, ...orTask(membersRemoved) }),
  };
};

/** What a change of a list or a tag may name, so that it undoes nobody else's. */
export const seenAt = z.iso
  .datetime()
  .optional()
  .describe(
    'The `updatedAt` of what was looked at. 409 `changed_meanwhile` when somebody has changed it since. ' +
      'Absent: it is changed whatever stands there.',
  );

/** What still uses a list or a tag. */
export const uses = z
  .array(
    z.object({
      kind: z.enum(['view', 'list', 'campaign', 'template']),
      id: count,
      name: z.string(),
      onlyBlocks: z
        .literal(true)
        .optional()
        .describe(
          'Given for a campaign whose audience does not ask for it: only blocks of its content are shown by it. It can be sent without it; nobody sees those blocks then.',
        ),
    }),
  )
  .describe(
    'What asks for it by its number, of what the caller can see: saved views, lists by their rules, campaigns that are not sent yet, campaigns that are being sent and templates whose blocks are shown by it.',
  );

export const undoMembership = endpoint({
  method: 'POST',
  path: '/api/membership-changes/:id/undo',
  access: access.member('editor', 'contacts:write'),
  summary:
    'Undo one addition to a list or a tag, or one removal. Contacts that were there before an addition stay, and so do those ' +
    'that were added again since. Possible for 30 days.',
  tag: 'Lists',
  params: idParams,
  fails: ['conflict', 'gone'],
  ...orTask(z.object({ undone: count.describe('How many were removed again, or are there again.') })),
});
