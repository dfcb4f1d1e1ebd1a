import { expect, it } from 'vitest';
import { createOptOutReader, type OptOut, optOutIndexes, recogniseOptOuts, valueKey } from './opt-outs.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

/** What each row says, as `reason date column`, or null. */
function read(header: readonly string[] | null, rows: readonly (readonly string[])[]): (string | null)[] {
  const { columns } = recogniseOptOuts(header, rows);
  const reader = createOptOutReader(columns, now);
  return rows.map((row) => said(reader(row), header));
}

const said = (found: OptOut | null, header: readonly string[] | null): string | null =>
  found && [found.reason, found.date ?? '-', header?.[found.column] ?? found.column].join(' ');

it('reads the files of Mailchimp', () => {
  const header = ['Email Address', 'First Name', 'OPTIN_TIME', 'UNSUB_TIME', 'UNSUB_REASON', 'CLEAN_TIME'];
  const rows = [
    ['jo@acme.co.uk', 'Jo', '2021-02-03 10:00:00', '', '', ''],
    ['al@acme.co.uk', 'Al', '2021-02-03 10:00:00', '2024-03-03 09:12:44', 'NORMAL', ''],
    ['bo@acme.co.uk', 'Bo', '2021-02-03 10:00:00', '', '', '2023-01-31 23:59:59'],
  ];
  expect(read(header, rows)).toEqual([
    null,
    'unsubscribed 2024-03-03 UNSUB_TIME',
    'bounced 2023-01-31 CLEAN_TIME',
  ]);
});

it('reads consent the right way round', () => {
  const header = ['Email', 'Accepts Email Marketing', 'Accepts SMS Marketing'];
  const rows = [
    ['jo@acme.co.uk', 'yes', 'no'],
    ['al@acme.co.uk', 'no', 'yes'],
    ['bo@acme.co.uk', '', ''],
  ];
  expect(read(header, rows)).toEqual([null, 'imported - Accepts Email Marketing', null]);
});

it('takes the date beside a status', () => {
  const header = ['Email', 'Email Marketing Consent', 'Email Marketing Consent Timestamp'];
  const rows = [
    ['jo@acme.co.uk', 'SUBSCRIBED', '2022-05-01T10:00:00+00:00'],
    ['al@acme.co.uk', 'UNSUBSCRIBED', '2023-05-01T23:30:00+00:00'],
    ['bo@acme.co.uk', 'NEVER_SUBSCRIBED', ''],
  ];
  expect(read(header, rows)).toEqual([
    null,
    'unsubscribed 2023-05-02 Email Marketing Consent',
    'imported - Email Marketing Consent',
  ]);
  expect(optOutIndexes(recogniseOptOuts(header, rows).columns)).toEqual([1, 2]);
});

it('asks about a column that it does not understand', () => {
  const rows = [
    ['a@b.co.uk', 'Red'],
    ['c@b.co.uk', 'Red'],
    ['d@b.co.uk', 'Blue'],
    ['e@b.co.uk', ''],
  ];
  expect(recogniseOptOuts(['Email', 'Unsubscribed'], rows)).toEqual({
    columns: [],
    unclear: [
      {
        index: 1,
        values: [
          { value: 'Red', rows: 2 },
          { value: 'Blue', rows: 1 },
        ],
      },
    ],
  });
});

it('valueKey folds case, blanks and punctuation', () => {
  expect(['NEVER_SUBSCRIBED', 'NeverSubscribed', ' never-subscribed. '].map(valueKey)).toEqual(
    Array(3).fill('never subscribed'),
  );
});
