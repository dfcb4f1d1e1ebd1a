import { z } from 'zod';
import { ukClasses, ukPolicies } from '#features/addresses/contract.ts';
import { saidBasis } from '#features/basis/contract.ts';
import { orTask } from '#features/tasks/contract.ts';
import {
  access,
  cursorField,
  endpoint,
  fileTypes,
  idParams,
  itemsOf,
  multipart,
  type ResponseOf,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';
import { repeatedTarget } from './rules/mapping.ts';
import { dateOrders } from './rules/opt-out-dates.ts';
import { optOutReasons, vocabularyNames } from './rules/opt-out-words.ts';
import { addressChoices } from './rules/row-addresses.ts';

const tag = 'Imports';
const count = z.number().int();

const group = z.number().int().positive().max(2_147_483_647);

/**
 * The four flags of the specification, all on by default, and what we add to them. Any other key is
 * refused, because a mistyped key would do the opposite of what was meant.
 */
export const importOptions = z
  .strictObject({
    removeDuplicates: z.boolean().default(true),
    validateEmails: z.boolean().default(true),
    filterNonUk: z.boolean().default(true),
    checkSuppressions: z.boolean().default(true),
    ukPolicy: z
      .enum(ukPolicies)
      .optional()
      .describe("For this import alone; absent: the workspace's setting."),
    listId: group
      .optional()
      .describe('Puts its contacts on this list, also those that are contacts already.'),
    tagIds: z.array(group).max(50).optional().describe('Gives its contacts these tags, likewise.'),
    basis: saidBasis
      .optional()
      .describe(
        'On what basis its contacts may get marketing, unless their row says it. Those that were there already get it only while ' +
          'theirs is unknown, except for `none`, which wins.',
      ),
  })
  .meta({ id: 'ImportOptions' });
export type ImportOptions = z.output<typeof importOptions>;

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export const delimiters = [',', ';', '\t', '|'] as const;
export const lineEnds = ['LF', 'CRLF', 'CR', 'mixed'] as const;
export const quotes = ['"', "'", ''] as const;
export const mostTitleLines = 20;

/** How to read the file. A given value overrides the detected one. */
export const dialectChoice = z.strictObject({
  encoding: z.enum(encodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  quote: z.enum(quotes).optional(),
  header: z.boolean().optional(),
  titleLines: z.number().int().min(0).max(mostTitleLines).optional(),
});

export const dialect = z.object({
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  lineEnd: z.enum(lineEnds),
  quote: z.enum(quotes),
  header: z.boolean(),
  titleLines: count
    .default(0)
    .describe('Lines above the header or the first row that are neither, such as a title.'),
});

/**
 * Where a column goes: a contact field, an extra field with a name, nowhere, or to the suppression
 * list (`doNotMail`).
 */
export const columnTarget = z
  .string()
  .regex(
    /^(email|name|firstName|lastName|source|date|notes|basis|basisSource|basisDate|doNotMail|skip|extra:.{1,100})$/su,
  );

const shortText = z.string().max(200);

/** What the cells of one column say about mailing. */
export const optOutColumn = z.strictObject({
  index: z.number().int().min(0).max(1023).describe('The column, from 0.'),
  values: z
    .record(shortText, z.enum(optOutReasons))
    .describe(
      'Texts, in lower case, that mean: do not mail. With the reason of each. An empty text is a blank cell.',
    ),
  mail: z.array(shortText).max(500).describe('Texts that mean: may be mailed.'),
  vocabulary: z
    .enum(vocabularyNames)
    .nullable()
    .default(null)
    .describe('Whose usual words are understood besides.'),
  rest: z
    .enum(optOutReasons)
    .nullable()
    .default(null)
    .describe('The reason of any other filled cell; null: it says nothing.'),
  dates: z.enum(dateOrders).nullable().default(null).describe('How dates such as 03/04/2024 are read.'),
  dateColumn: z.number().int().min(0).max(1023).nullable().default(null),
});

/**
 * The choices a person may make on top of the detection. `columns` has one target per column, in
 * the file's order; several may be `email`.
 */
export const readingChoice = z
  .strictObject({
    dialect: dialectChoice.optional(),
    sheet: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Which sheet of a workbook is read. Absent: the first with addresses that is not hidden, or else the first with rows.',
      ),
    columns: z
      .array(columnTarget)
      .max(1024)
      .optional()
      .describe(
        'One target per column; `wrong_columns` if the file has more or fewer. `email`, `doNotMail` and `skip` may stand for several columns, any other target for one. `doNotMail` makes a column say who must not be mailed: by what is recognised in it, or else any filled ' +
          'cell but no. A recognised column that gets another target than `doNotMail`, or `skip`, says it no more.',
      ),
    addresses: z
      .enum(addressChoices)
      .optional()
      .describe(
        'When several columns have the target `email`: `first` takes the first that holds an address, `each` makes a contact of each.',
      ),
    mend: z
      .union([z.literal('all'), z.array(z.string().max(255)).max(500)])
      .optional()
      .describe('The domains whose slips are mended on the way in, as in `slips`, or `all`. Absent: none.'),
    doNotMail: z
      .array(optOutColumn)
      .max(50)
      .optional()
      .describe(
        'The columns that say who must not be mailed, beside those with the target `doNotMail`. Absent: those that are recognised. Empty: none.',
      ),
  })
  // Here and not at the targets: what an older version has stored is still read.
  .superRefine(({ columns = [] }, context) => {
    const repeated = repeatedTarget(columns);
    if (repeated === null) return;
    const { target, first, again } = repeated;
    const where = target.startsWith('extra:')
      ? `the extra field “${target.slice('extra:'.length)}”`
      : `“${target}”`;
    const message = `Columns ${first + 1} and ${again + 1} both go to ${where}. Choose another target for one of them.`;
    context.addIssue({ code: 'custom', path: ['columns', again], message });
  })
  .meta({ id: 'ReadingChoice' });
export type ReadingChoice = z.output<typeof readingChoice>;

/**
 * How this version of the product reads files, as a number that only grows. Raise it when the same
 * choices would make something else of a file, or of another kind of file: recognised columns,
 * workbooks, several addresses in a cell. While processes are being replaced, an older one then
 * leaves the import to a newer one, as it does when it finds a field that it does not know.
 *
 * 1: workbooks, columns that say who must not be mailed, several addresses.
 * 2: how a mail program shows an address is no name and no column of addresses.
 * 3: columns that say the marketing basis.
 * 4: the target Do not mail counts without a rule, and another target switches a recognised rule
 * off; more forms of several addresses in a cell.
 * 5: choices for other columns than the file has are refused.
 * 6: the header below titles tells the delimiter where most rows have one field.
 * 7: `extra_name` of an export is the extra field `name`; a second column of an extra field gets a
 * number.
 * 8: a column fills the extra field of its name that contacts have already, whatever its capitals.
 */
export const readingVersion = 8;

/**
 * The stored form of the choices. A field from a newer version is refused: ignoring it would read
 * the file differently.
 */
export const storedReading = z.strictObject({
  ...readingChoice.shape,
  readBy: z.number().int().max(readingVersion).optional(),
});
export type StoredReading = z.output<typeof storedReading>;

export const fates = ['imported', 'duplicate', 'invalid', 'nonUk', 'suppressed'] as const;
export type Fate = (typeof fates)[number];

export const fateCounts = z
  .object({
    imported: count,
    duplicates: count,
    invalid: count,
    suppressed: count,
    nonUk: count,
  })
  .meta({ id: 'FateCounts' });
export type FateCounts = z.output<typeof fateCounts>;

export const importColumn = z
  .object({
    name: z.string(),
    firstValue: z.string(),
    filled: z
      .number()
      .min(0)
      .max(1)
      .describe('Share of the rows in which the column is not empty; blank lines are no rows.'),
    addresses: count
      .default(0)
      .describe('In how many of the first rows, at most 2,000, the cell looks like an address.'),
    target: z.string(),
    extraField: z
      .string()
      .default('')
      .describe(
        'The extra field of its name, as contacts have it already or else in lower case. Its target is `extra:` and this.',
      ),
  })
  .meta({ id: 'ImportColumn' });

export const sampleRow = z.object({
  line: count,
  part: count.default(0).describe('Which of the line’s addresses, from 0.'),
  text: z.string().describe('The row as it stands in the file, cut at 500 characters.'),
  fate: z.enum(fates),
  why: z.string().describe('Empty for a row imported as it stands.'),
});

const sheet = z
  .object({
    name: z.string().describe('The sheet that was read.'),
    sheets: z.array(z.string()).describe('All sheets, in the order of their tabs, at most 50.'),
  })
  .nullable()
  .default(null)
  .describe('The sheets of a workbook. Null for other files.');

/** A row that was left out, and what became of it since. */
export const leftOutRow = sampleRow.extend({
  corrected: z
    .object({
      email: z.string(),
      contactId: count,
      by: z.string().describe("The person's name, or which API key it was."),
      at: z.iso.datetime(),
      isRemoved: z
        .boolean()
        .describe('Whether the contact was removed since, for example as the import was undone.'),
    })
    .nullable(),
  canBeCorrected: z.boolean(),
  suggestion: z
    .string()
    .nullable()
    .describe('What to begin a correction with: the address that was probably meant, or what stands there.'),
});
export type LeftOutRow = z.output<typeof leftOutRow>;

const blank = count.describe('Blank lines. They are not counted among the rows.');

/** A column that says who must not be mailed. */
export const optOutView = z.object({
  rule: optOutColumn,
  name: z.string(),
  used: z.boolean().describe('False: recognised, and chosen not to count.'),
  rows: count.describe('Readable rows that it speaks against mailing.'),
  values: z
    .array(
      z.object({
        value: z.string(),
        rows: count,
        reason: z.enum(optOutReasons).nullable().describe('Null: may be mailed.'),
      }),
    )
    .describe('The most frequent texts in it, at most 20.'),
});

/** What the non-UK filter leaves out. */
export const nonUkView = z.object({
  uk: count.default(0),
  likelyUk: count,
  global: count,
  notUk: count,
  domains: z
    .array(z.object({ domain: z.string(), uk: z.enum(ukClasses), rows: count }))
    .default([])
    .describe('The largest domains, at most 20.'),
});
export type NonUkView = z.output<typeof nonUkView>;

const severalAddresses = z
  .object({ lines: count, addresses: count })
  .default({ lines: 0, addresses: 0 })
  .describe('Lines with several addresses. Each address counts as a row of its own.');

const titles = z.array(z.string()).default([]).describe('The title lines, each cut at 200 characters.');

const unclear = z
  .array(
    z.object({
      index: count,
      name: z.string(),
      values: z.array(z.object({ value: z.string(), rows: count })),
    }),
  )
  .default([])
  .describe(
    'Columns that seem to say who must not be mailed, in texts that are not understood. An empty text is a blank cell beside ticks.',
  );

const problems = z.object({
  total: count,
  byKind: z.record(z.string(), count),
  first: z.array(z.object({ line: count, kind: z.string() })),
});

const slips = z
  .array(z.object({ from: z.string(), to: z.string(), rows: count, mended: z.boolean() }))
  .default([])
  .describe('Domains that are probably slips of another, the most frequent first, at most 50.');

const slipTotal = z
  .object({ patterns: count, rows: count, mended: count })
  .default({ patterns: 0, rows: 0, mended: 0 })
  .describe('All slips, also beyond the 50: the different domains (at most 20,000), and their rows.');

/** A dry run of the file: what would happen, with nothing saved. */
export const importCheck = z
  .object({
    dialect,
    columns: z.array(importColumn),
    rows: count,
    blank: blank.default(0),
    sheet,
    titles,
    addresses: z.enum(addressChoices).default('first'),
    severalAddresses,
    doNotMail: z
      .array(optOutView)
      .default([])
      .describe(
        'Whom these columns keep from being mailed goes to the suppression list, and counts as suppressed.',
      ),
    unclear,
    counts: fateCounts,
    optedOut: count.default(0).describe('Suppressed rows that the file itself says not to mail.'),
    sample: z.array(sampleRow).describe('The first rows, each with its fate.'),
    problems,
    ukView: z
      .object({ uk: count, likelyUk: count, global: count, notUk: count })
      .describe('Readable rows by UK class, before the non-UK filter.'),
    nonUkView: nonUkView.describe('What the non-UK filter leaves out, by UK class.'),
    slips,
    slipTotal,
    mendsAll: z.boolean().default(false).describe('Every slip is mended, as `mend: "all"` asks.'),
    seconds: z.number(),
  })
  .meta({ id: 'ImportCheck' });
export type ImportCheck = z.output<typeof importCheck>;

/**
 * What somebody should know about how a file was read. A check shows the same, but an import may go
 * without one.
 */
export const importNotes = z
  .object({
    header: z.boolean(),
    emailColumns: z.array(z.string()).describe('The columns whose addresses were read.'),
    otherAddresses: z
      .array(z.object({ name: z.string(), addresses: count }))
      .describe('Other columns with addresses, among the first rows.'),
    severalAddresses,
    titles,
    unclear,
    unusedDoNotMail: z
      .array(z.string())
      .describe('Columns that say who must not be mailed, and were left out of account.'),
    notKept: z
      .array(z.string())
      .default([])
      .describe(
        'Columns that hold something and were not kept, at most 100: their target is `skip`, or the settings do not allow them (`allowedColumns`).',
      ),
    slips,
    slipTotal,
    problems,
  })
  .meta({ id: 'ImportNotes' });
export type ImportNotes = z.output<typeof importNotes>;

const newlySuppressed = count.describe(
  'Addresses that columns of the file itself put on the suppression list, without those that were on it.',
);

const groupOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ kind: z.enum(['list', 'tag']), id: count, name: z.string(), ...shape });

const choicesHash = z
  .string()
  .describe(
    'Stands for the options, without list, tags and basis, and for how the file is read, as they were at its last check. Other ' +
      'choices have another one.',
  );

export const importRecord = z
  .object({
    id: count,
    fileName: z.string(),
    fileSize: count.describe('Bytes'),
    status: z.string().describe('`completed`, `failed`, or anything else while it is processing.'),
    results: fateCounts.nullable(),
    rows: count.nullable(),
    blank: blank.nullable(),
    newlySuppressed: newlySuppressed.nullable(),
    leftTopics: count
      .nullable()
      .describe(
        'Contacts of the file who had left its list on the preference page of an email. They stay off it.',
      ),
    sheet,
    error: z.string().nullable(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    undoneAt: z.iso.datetime().nullable(),
    restoredAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the last of what its undoing moved to the bin came back. Null while some of it did not.',
      ),
    restored: z
      .object({ contacts: count, outOf: count })
      .nullable()
      .describe(
        'How many of the contacts that its undoing moved to the bin came back. Null for an import that was not undone.',
      ),
    createdBy: z.string().nullable().describe("The person's name."),
    hasReceipt: z.boolean(),
    canUndo: z.boolean(),
    options: z.object(importOptions.shape),
    choicesHash,
    addedTo: z
      .array(groupOf({ isDeleted: z.boolean() }))
      .describe('The list and the tags that its contacts were added to, with their names now.'),
  })
  .meta({ id: 'Import' });
export type ImportRecord = z.output<typeof importRecord>;

export const importResult = fateCounts.extend({
  id: count,
  blank,
  newlySuppressed,
  sheet,
  nonUkView: nonUkView.describe('What the non-UK filter left out, by UK class.'),
  notes: importNotes.describe('What to know about how the file was read.'),
});

/** For callers who do not wait: the import goes on by itself. */
const begunImport = z.object({ id: count });

export const importFile = endpoint({
  method: 'POST',
  path: '/api/emails/import',
  access: access.member('editor', 'imports:write'),
  summary:
    'Import a CSV file or an Excel workbook (.xlsx). Answers when the import is done; with `Prefer: respond-async` at once, with 202 and the id.',
  tag,
  body: multipart({
    options:
      'JSON of the four flags; all on when absent. Also `ukPolicy`; `listId`, `tagIds`: the list and the tags for its contacts; `basis`: their marketing basis.',
    reading:
      'JSON of chosen dialect and column targets; detected when absent. A detected column that the settings do not allow (`allowedColumns`) is left out: `notes.notKept` names it, and a dry run names the targets for this field.',
    dryRun:
      '`true`: the same counts and samples, nothing written. The file is kept for `/api/imports/{id}/run`.',
    file: 'The file: .csv or .xlsx. A workbook is read like the CSV of its sheet; lines are its rows.',
  }),
  response: importResult.extend({ check: importCheck.optional() }),
  accepted: begunImport,
  limits:
    'Unless the operator changed it, one person begins at most 20 imports a minute, and a workspace has at most 5 under way (429). The form must arrive within the Timeout of the settings, and an import ends after six hours (504).',
});

export const listImports = endpoint({
  method: 'GET',
  path: '/api/imports',
  access: access.member('viewer', 'imports:read'),
  summary: 'Imports, newest first.',
  tag,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20),
    cursor: cursorField,
  }),
  response: walkedItemsOf(importRecord),
});

export const getImport = endpoint({
  method: 'GET',
  path: '/api/imports/:id',
  access: access.member('viewer', 'imports:read'),
  summary: 'One import, with its dry run while it waits to be imported.',
  tag,
  params: idParams,
  response: importRecord.extend({
    check: importCheck.nullable().describe('The last dry run. Null once the import has ended.'),
    notes: importNotes
      .nullable()
      .describe(
        'What to know about how the file was read. Null until it is imported, and for older imports.',
      ),
  }),
});

/**
 * What `/events` sends: `event: progress` while the import runs, then `event: done` once with the
 * record.
 */
export const importProgress = z
  .object({
    phase: z.enum(['uploading', 'reading', 'saving', 'done']),
    rows: count,
    rowsPerSecond: count,
    bytesRead: count,
    bytesTotal: count,
    share: z.number().min(0).max(1).describe('How much of the whole is done, by measured work.'),
  })
  .meta({ id: 'ImportProgress' });
export type ImportProgress = z.output<typeof importProgress>;

export const importEvents = endpoint({
  method: 'GET',
  path: '/api/imports/:id/events',
  access: access.member('viewer', 'imports:read'),
  summary: 'Server-sent events: true progress until the import is done.',
  tag,
  params: idParams,
  response: raw('text/event-stream'),
});

const changedOptions = importOptions
  .optional()
  .describe('Absent: as they were. A list, tags or a basis that they leave out stay as they were, too.');

export const checkImport = endpoint({
  method: 'POST',
  path: '/api/imports/:id/check',
  access: access.member('editor', 'imports:write'),
  summary: 'Run the dry run of a kept file again with other choices.',
  tag,
  params: idParams,
  body: z.strictObject({
    options: changedOptions,
    reading: readingChoice.optional(),
  }),
  response: importCheck.extend({ choicesHash }),
  fails: ['timeout'],
});

export const chooseGroups = endpoint({
  method: 'PATCH',
  path: '/api/imports/:id',
  access: access.member('editor', 'imports:write'),
  summary:
    'Choose the list, the tags and the marketing basis for the contacts of a file that a dry run kept. They change none of its ' +
    'figures, so it is not read again.',
  tag,
  params: idParams,
  body: z.strictObject({
    listId: group.nullish().describe('Null for no list. Absent: as it was.'),
    tagIds: importOptions.shape.tagIds.describe('Absent: as they were.'),
    basis: saidBasis.nullish().describe('Null for none. Absent: as it was.'),
  }),
  response: importRecord,
  fails: ['conflict'],
});

export const runImport = endpoint({
  method: 'POST',
  path: '/api/imports/:id/run',
  access: access.member('editor', 'imports:write'),
  summary: 'Import a file kept by a dry run. Answers like the import itself.',
  tag,
  params: idParams,
  body: z.strictObject({
    options: changedOptions,
    reading: readingChoice.optional(),
    seen: z
      .strictObject({
        choicesHash,
        listId: group.nullable(),
        tagIds: importOptions.shape.tagIds.unwrap(),
        basis: saidBasis.nullable(),
      })
      .optional()
      .describe(
        'What was looked at. 409 `changed_meanwhile` when somebody has changed it since, and nothing is imported.',
      ),
  }),
  response: importResult,
  accepted: begunImport,
  fails: ['changed_meanwhile'],
});

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/imports/:id/undo',
  access: access.member('editor', 'imports:write'),
  summary:
    'Remove what an import and its corrected rows added and nobody changed since, and take the contacts that stay off its list ' +
    'and its tags, unless they got there otherwise. What the import said of their marketing basis is taken back. Suppressions are never touched.',
  tag,
  params: idParams,
  ...orTask(
    z.object({
      removed: count,
      removalId: count.nullable(),
      takenOut: z
        .array(groupOf({ contacts: count }))
        .describe('The list and the tags that contacts which stay were taken off, with how many.'),
    }),
  ),
});
export type ImportUndone = Exclude<ResponseOf<typeof undoImport>, { taskId: number }>;

export const importReceipt = endpoint({
  method: 'GET',
  path: '/api/imports/:id/receipt',
  access: access.member('viewer', 'imports:read'),
  summary: 'Every row that was not imported, with line number, original text and reason, as CSV.',
  tag,
  params: idParams,
  response: raw(fileTypes.csv),
});

export const listRejectedRows = endpoint({
  method: 'GET',
  path: '/api/imports/:id/rejected',
  access: access.member('viewer', 'imports:read'),
  summary: 'The first rows that were left out, by fate; or the rows of one line.',
  tag,
  params: idParams,
  query: z.object({
    fate: z.enum(['duplicate', 'invalid', 'nonUk', 'suppressed']).optional(),
    line: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('Only the rows of this line, which may stand anywhere in the receipt.'),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: itemsOf(leftOutRow),
});

export const correctRow = endpoint({
  method: 'POST',
  path: '/api/imports/:id/rejected/correct',
  access: access.member('editor', 'imports:write'),
  summary:
    'Correct the address of any invalid or non-UK row of the receipt, and add it as a contact with the other cells of its row, the list, ' +
    'the tags and the marketing basis of the import. The receipt tells of it.',
  tag,
  params: idParams,
  body: z.strictObject({
    line: count.positive(),
    part: count.min(0).default(0),
    email: z.string().trim().min(1).max(1000),
    checkSuppressions: z.boolean().default(true).describe('As when an address is added by hand.'),
  }),
  response: leftOutRow,
  fails: ['already_exists'],
});

export const discardImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:id',
  access: access.member('editor', 'imports:write'),
  summary: 'Discard a file kept by a dry run that was not imported.',
  tag,
  params: idParams,
  response: z.object({ removed: count }),
  writesLittle: true,
});
