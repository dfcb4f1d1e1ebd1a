import type { Settings, SettingsSection } from '../contract.ts';

/** The content of the fields during editing: numbers and lists as their text. */
export type Draft = Record<string, string | boolean>;

export interface Field {
  name: string;
  label: string;
  /** `list` is text with commas between. */
  kind: 'text' | 'lines' | 'number' | 'switch' | 'list' | 'choice';
  hint?: string;
  /** After a number: "MB". */
  unit?: string;
  choices?: { value: string; label: string }[];
  autoComplete?: string;
}

export interface Section {
  key: SettingsSection;
  title: string;
  hint: string;
  fields: Field[];
}

/** The cards of the screen, in order, with the words of each field. */
export const sections: Section[] = [
  {
    key: 'emailValidation',
    title: 'Email Validation',
    hint: 'Which addresses count as valid, and as UK',
    fields: [
      {
        name: 'strictValidation',
        label: 'Strict validation',
        kind: 'switch',
        hint: 'The ending must exist, and names must keep the rules of mail servers. Off: only the general pattern is looked at.',
      },
      {
        name: 'checkMXRecords',
        label: 'Check MX records',
        kind: 'switch',
        hint: 'Asks the DNS whether the domain takes mail at all, once for each domain.',
      },
      {
        name: 'allowedDomains',
        label: 'Allowed domains',
        kind: 'list',
        hint: 'Endings with commas between. “.uk” takes in every domain below it.',
      },
      { name: 'ukPolicy', label: 'UK policy', kind: 'choice' },
    ],
  },
  {
    key: 'import',
    title: 'Import',
    hint: 'How CSV files are taken in',
    fields: [
      {
        name: 'batchSize',
        label: 'Batch size',
        kind: 'number',
        unit: 'rows',
        hint: 'Rows sent to the database at a time.',
      },
      {
        name: 'maxFileSize',
        label: 'Maximum file size',
        kind: 'number',
        unit: 'MB',
        hint: 'A larger file is refused before it is read.',
      },
      {
        name: 'timeoutSeconds',
        label: 'Timeout',
        kind: 'number',
        unit: 'seconds',
        hint: 'An import that takes longer is ended, and nothing of it is kept.',
      },
      {
        name: 'allowedColumns',
        label: 'Allowed columns',
        kind: 'list',
        hint: 'Columns kept from a file, with commas between; the others are left out.',
      },
    ],
  },
  {
    key: 'export',
    title: 'Export',
    hint: 'The files you download',
    fields: [
      {
        name: 'defaultFormat',
        label: 'Default format',
        kind: 'choice',
        choices: [
          { value: 'csv', label: 'CSV' },
          { value: 'json', label: 'JSON' },
          { value: 'xlsx', label: 'Excel workbook (XLSX)' },
        ],
      },
      {
        name: 'maxRecordsPerFile',
        label: 'Maximum records per file',
        kind: 'number',
        unit: 'records',
        hint: 'More than this come as a zip of numbered files.',
      },
      {
        name: 'includeHeaders',
        label: 'Include headers',
        kind: 'switch',
        hint: 'The first row names the columns.',
      },
    ],
  },
  {
    key: 'sender',
    title: 'Sender identity',
    hint: 'Who your mail is from',
    fields: [
      { name: 'fromName', label: 'From name', kind: 'text', autoComplete: 'organization' },
      { name: 'fromAddress', label: 'From address', kind: 'text', autoComplete: 'email' },
      {
        name: 'replyTo',
        label: 'Reply-to address',
        kind: 'text',
        hint: 'Empty: answers go to the from address.',
        autoComplete: 'email',
      },
      {
        name: 'company',
        label: 'Company',
        kind: 'text',
        hint: 'UK law asks for it in the foot of each marketing message.',
      },
      { name: 'postalAddress', label: 'Postal address', kind: 'lines' },
    ],
  },
  {
    key: 'retention',
    title: 'Retention',
    hint: 'How long things are kept; what is older is deleted every night',
    fields: [
      {
        name: 'binDays',
        label: 'Bin',
        kind: 'number',
        unit: 'days',
        hint: 'How long removed contacts can be restored: 90 days at most.',
      },
      {
        name: 'receiptDays',
        label: 'Import receipts',
        kind: 'number',
        unit: 'days',
        hint: 'The rows each import left out, and why.',
      },
      {
        name: 'uploadDays',
        label: 'Uploaded files',
        kind: 'number',
        unit: 'days',
        hint: 'Files that were checked and not imported, 30 days at most.',
      },
      {
        name: 'activityDays',
        label: 'Activities',
        kind: 'number',
        unit: 'days',
        hint: 'What happened, on the dashboard. The audit log is kept for good.',
      },
    ],
  },
];

/** A section's values in the form that its fields show. */
export function draftOf(section: Section, values: Settings[SettingsSection]): Draft {
  const given = values as Record<string, unknown>;
  return Object.fromEntries(
    section.fields.map(({ name, kind }) => {
      const value = given[name];
      if (kind === 'switch') return [name, value === true];
      return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')];
    }),
  );
}

/**
 * The change in the form that is sent: numbers as numbers, lists split at commas and trimmed. An
 * invalid number is named in `errors` and not sent.
 */
export function changeOf(
  section: Section,
  before: Draft,
  after: Draft,
): { change: Record<string, unknown>; errors: Record<string, string> } {
  const change: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const { name, kind, label } of section.fields) {
    const value = after[name];
    if (value === undefined || value === before[name]) continue;
    if (kind === 'list') change[name] = splitList(String(value));
    else if (kind !== 'number') change[name] = value;
    else {
      const number = Number(value);
      if (String(value).trim() === '' || !Number.isFinite(number))
        errors[name] = `${label} must be a number.`;
      else change[name] = number;
    }
  }
  return { change, errors };
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/**
 * The server's messages by field: `import.batchSize` and `emailValidation.allowedDomains.3` each
 * belong to one field.
 */
export function fieldErrors(
  section: SettingsSection,
  errors: Record<string, string>,
): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) {
    const [first, name] = path.split('.');
    if (first === section && name !== undefined) byField[name] ??= message;
  }
  return byField;
}
