import { describe, expect, it } from 'vitest';
import {
  fateSentence,
  fromNearAddress,
  groupsWords,
  importedMessage,
  importLabel,
  keptDomains,
  looksLikeSuppressions,
  phaseWords,
  problemsSentence,
  skippedSentence,
  ukWords,
  undoneSentence,
} from './import-words.ts';

const dialect = { encoding: 'utf-8', delimiter: ',', lineEnd: 'LF', quote: '"', header: true } as const;

describe('what is said about a file', () => {
  it('says what its contacts are put on, or asks', () => {
    const options = {
      removeDuplicates: true,
      validateEmails: true,
      filterNonUk: true,
      checkSuppressions: true,
    };
    expect(groupsWords(options)).toBe('Choose');
    expect(groupsWords({ ...options, listId: 4 })).toBe('1 list');
    expect(groupsWords({ ...options, listId: 4, tagIds: [1, 2] })).toBe('1 list, 2 tags');
    expect(groupsWords({ ...options, tagIds: [1] })).toBe('1 tag');
  });

  it('says of an undone import how many of its contacts came back', () => {
    const gone = 'What this import added, and nobody has changed since, went to the bin for 30 days.';
    const said = (contacts: number, restoredAt: string | null = null) =>
      undoneSentence({ restoredAt, restored: { contacts, outOf: 1_000_000 } }, 'for 30 days');
    expect(said(0)).toBe(gone);
    expect(said(5000)).toBe(`${gone} 5,000 of 1,000,000 contacts came back.`);
    expect(said(1_000_000, '2026-03-01T10:00:00Z')).toBe('What this import added is back from the bin.');
  });

  it('tells of skipped lines where there are any', () => {
    expect(skippedSentence(3204)).toBe('3,204 blank lines were skipped.');
    expect(skippedSentence(1)).toBe('1 blank line was skipped.');
    expect(skippedSentence(0)).toBeNull();
    expect(skippedSentence(null)).toBeNull();
  });

  it('counts the lines that do not fit, the most frequent kind first, and names the line of a single one', () => {
    const problems = {
      total: 1203,
      byKind: { unclosed_quote: 1, too_many_fields: 1202 },
      first: [{ line: 90412, kind: 'unclosed_quote' }],
    };
    expect(problemsSentence({ problems, dialect })).toBe(
      '1,203 lines do not fit the header: 1,202 have too many fields, 1 has an unclosed quote (line 90,412).',
    );
  });

  it('speaks of one line in the singular, and of no header where there is none', () => {
    const problems = { total: 1, byKind: { nul_byte: 1 }, first: [{ line: 3, kind: 'nul_byte' }] };
    expect(problemsSentence({ problems, dialect: { ...dialect, header: false } })).toBe(
      '1 line could not be read as written: 1 holds characters that cannot be shown (line 3).',
    );
    const many = { total: 1, byKind: { too_many_fields: 1 }, first: [{ line: 3, kind: 'too_many_fields' }] };
    expect(problemsSentence({ problems: many, dialect: { ...dialect, header: false } })).toBe(
      '1 line does not fit the others: 1 has too many fields (line 3).',
    );
  });

  it('does not break on a kind of problem it does not know', () => {
    const problems = { total: 2, byKind: { new_kind: 2 }, first: [] };
    expect(problemsSentence({ problems, dialect })).toContain('2 cannot be read');
  });
});

describe('the fate of a row in words', () => {
  it.each([
    ['Imported', '', 'Imported'],
    ['Duplicate', 'Same as line 2', 'Duplicate, same as line 2'],
    ['Non-UK', 'Ends in .ie', 'Non-UK, ends in .ie'],
    ['Non-UK', 'Likely UK, outside your endings', 'Likely UK, outside your endings'],
    ['Invalid', 'A dot at the start', 'Invalid, a dot at the start'],
    ['Invalid', 'IP address', 'Invalid, IP address'],
  ])('%s and “%s”', (fate, why, sentence) => {
    expect(fateSentence(fate, why)).toBe(sentence);
  });
});

describe('what the UK filter costs', () => {
  const ukView = { uk: 10, likelyUk: 7, global: 5, notUk: 3 };
  const domains = [
    { domain: 'sky.com', uk: 'likely_uk' as const, rows: 6 },
    { domain: 'gmail.com', uk: 'global' as const, rows: 5 },
  ];

  it('names the rows that look British while they are left out', () => {
    const view = { ukView, nonUkView: { uk: 0, likelyUk: 7, global: 5, notUk: 3, domains } };
    expect(ukWords('suffix', view)).toEqual({
      title: '7 of the non-UK rows look British',
      lines: [
        '7 at British organisations and providers: sky.com 6, others 1',
        '5 at worldwide providers: gmail.com 5',
        '3 at other domains',
      ],
    });
    const one = { ukView, nonUkView: { uk: 0, likelyUk: 1, global: 5, notUk: 3, domains: [] } };
    expect(ukWords('suffix', one).title).toBe('1 of the non-UK rows looks British');
  });

  it('then those at worldwide providers, then what is kept', () => {
    const likely = { ukView, nonUkView: { uk: 0, likelyUk: 0, global: 5, notUk: 3, domains: [] } };
    expect(ukWords('likely', likely).title).toBe('5 of the non-UK rows may be British');
    const foreign = { ukView, nonUkView: { uk: 0, likelyUk: 0, global: 0, notUk: 0, domains: [] } };
    expect(ukWords('any_but_foreign_cctld', foreign).lines).toEqual([
      'Beside UK endings, 12 rows at UK and worldwide providers.',
    ]);
  });
});

describe('other words', () => {
  it('says how many were imported, as the specification words it', () => {
    const message = 'Imported 201,944 emails successfully.';
    expect(importedMessage(201_944, 0)).toEqual({ title: 'Import Complete', message });
    expect(importedMessage(201_944, 12)).toEqual({ title: 'Import Complete', message });
    expect(importedMessage(0, 0).message).toBe('Imported 0 emails successfully.');
  });

  it('says of a list of those who left where they went', () => {
    expect(importedMessage(0, 65).message).toBe(
      '65 addresses went to the suppression list, because the file says not to mail them.',
    );
  });

  it('names what the import of a checked file is for', () => {
    const check = (imported: number, optedOut: number) => ({
      counts: { imported, duplicates: 3, invalid: 1, suppressed: optedOut, nonUk: 0 },
      optedOut,
      columns: [],
    });
    expect(importLabel(check(1200, 0))).toBe('Import 1,200 contacts');
    expect(importLabel(check(1, 65))).toBe('Import 1 contact');
    expect(importLabel(check(0, 65))).toBe('Import 65 opt-outs');
    expect(importLabel(check(0, 1))).toBe('Import 1 opt-out');
    expect(importLabel(check(0, 0))).toBeNull();
    expect(importLabel(check(0, 0), { listId: 1 })).toBe('Put known contacts on it');
    expect(importLabel(check(0, 0), { tagIds: [1] })).toBe('Tag known contacts');
    const basis = { basis: 'consent' } as const;
    expect(importLabel(check(0, 0), { basis })).toBe('Set the basis of known contacts');
    const none = { ...check(0, 0), counts: { ...check(0, 0).counts, duplicates: 0 } };
    expect(importLabel(none, { listId: 1 })).toBeNull();
  });

  it('names three endings and counts the rest', () => {
    expect(keptDomains(['.uk', '.co.uk', '.org.uk', '.me.uk', '.ac.uk'], 'suffix')).toBe(
      'Keeps .uk, .co.uk, .org.uk and 2 more',
    );
    expect(keptDomains(['.uk'], 'suffix')).toBe('Keeps .uk');
    expect(keptDomains([], 'suffix')).toContain('No endings');
  });

  it('says what the policy keeps beside the endings', () => {
    expect(keptDomains(['.uk', '.co.uk', '.org.uk', '.me.uk'], 'likely')).toBe(
      'Keeps .uk, .co.uk, .org.uk and 1 more, and likely UK domains',
    );
    expect(keptDomains(['.uk'], 'any_but_foreign_cctld')).toBe('Keeps .uk, and all but foreign endings');
    expect(keptDomains([], 'likely')).toBe('Keeps likely UK domains');
  });

  it('tells reading from comparing by how much of the file has been read', () => {
    const progress = { phase: 'reading', rows: 10, rowsPerSecond: 1, bytesTotal: 100, share: 0.1 } as const;
    expect(phaseWords({ ...progress, bytesRead: 40 })).toBe('Reading the rows');
    expect(phaseWords({ ...progress, bytesRead: 100 })).toContain('Comparing');
    expect(phaseWords(null)).toBe('Starting');
  });
});

describe('the name of a file of people who are not to be mailed', () => {
  it.each([
    ['unsubscribed_members_export_1a2b.csv', true],
    ['cleaned_email_audience_export.csv', true],
    ['2026 hard-bounces.csv', true],
    ['opt-outs.csv', true],
    ['Do not mail.csv', true],
    ['suppression-list.csv', true],
    ['subscribed_members_export_1a2b.csv', false],
    ['uncleaned.csv', false],
    ['spring-catalogue-2026.csv', false],
  ])('%s: %s', (name, is) => expect(looksLikeSuppressions(name)).toBe(is));
});

it.each([
  ['ann@acme.co.uk,Ann', 'ann@acme.co.uk,Ann'],
  ['no address at all, and a long line of other words', 'no address at all, and a long line of other words'],
  [`Mr,Tom,,Price,${','.repeat(40)}tom@acme.co.uk,SMTP`, '…,,,,,,,,,,,,tom@acme.co.uk,SMTP'],
])('shows the row %s as %s', (row, shown) => {
  expect(fromNearAddress(row)).toBe(shown);
});
