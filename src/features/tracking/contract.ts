import { z } from 'zod';
import { access, endpoint, raw } from '#platform/shared/contract.ts';

const tag = 'Links in emails';
const params = z.object({
  reference: z.string().max(200).describe('Signed: nobody can make one or bend one.'),
});
const page = raw('text/html');
const common = {
  access: access.public,
  forStrangers: true,
  tag,
  params,
  limits: 'One network may try 600 unknown links a minute; one link is answered with 60 pages a minute.',
} as const;

export const openPixel = endpoint({
  ...common,
  method: 'GET',
  path: '/o/:reference',
  summary:
    'A picture of one transparent pixel, which counts an open. It is also there when nothing is counted.',
  response: raw('image/gif'),
});

export const followLink = endpoint({
  ...common,
  method: 'GET',
  path: '/c/:reference',
  summary: 'Leads to the target that the message was sent with, and counts the click.',
  response: page,
  status: 302,
});

export const showUnsubscribe = endpoint({
  ...common,
  method: 'GET',
  path: '/u/:reference',
  summary: 'A page with a button to unsubscribe. It changes nothing.',
  response: page,
});

export const unsubscribe = endpoint({
  ...common,
  method: 'POST',
  path: '/u/:reference',
  summary:
    'Unsubscribes at once (RFC 8058), whatever is sent along. With the field `do=come-back`, as the page sends it within an ' +
    'hour, it takes that back.',
  response: page,
});

export const showPreferences = endpoint({
  ...common,
  method: 'GET',
  path: '/p/:reference',
  summary: 'A page on which the reader decides what they get. It changes nothing.',
  response: page,
});

export const changePreferences = endpoint({
  ...common,
  method: 'POST',
  path: '/p/:reference',
  summary:
    'What the page was told: `pause` for 1, 3 or 6 months, or `do` as `end-pause`, `leave`, `address` or `topics`. With `address`, a message goes to ' +
    '`email`, and nothing changes before it is confirmed. With `topics`, the ' +
    'reader is put on each `topic` and taken off whatever else is `shown`. Nothing else changes anything.',
  response: page,
});

export const showAddressChange = endpoint({
  ...common,
  method: 'GET',
  path: '/a/:reference',
  summary: 'A page that asks the owner of a new address whether to take it. It changes nothing.',
  response: page,
  fails: ['gone'],
});

export const confirmAddressChange = endpoint({
  ...common,
  method: 'POST',
  path: '/a/:reference',
  summary: 'Gives the reader the new address, within a day after it was asked for.',
  response: page,
  fails: ['gone'],
});

export const viewInBrowser = endpoint({
  ...common,
  method: 'GET',
  path: '/v/:reference',
  summary: 'The message as it was sent, for a browser.',
  response: page,
});
