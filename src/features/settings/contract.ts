import { z } from 'zod';
import { defaultAllowedDomains, ukPolicies } from '#features/addresses/contract.ts';
import { looksLikeEmail } from '#features/addresses/rules/looks-like-email.ts';
import { isSenderAddress } from '#features/addresses/rules/sender-address.ts';
import { access, endpoint } from '#platform/shared/contract.ts';

/** A domain ending, with or without a leading dot. */
const ending = z
  .string()
  .trim()
  .max(253)
  .regex(/^\.?[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u, {
    error: ({ input }) =>
      `“${String(input).slice(0, 60)}” is not a domain ending. Write endings like .co.uk.`,
  });

/** Text for one line of a message's head. A line break there would begin another. */
const oneLine = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

const notAddress = { error: 'Write an address such as hello@yourbusiness.co.uk, or leave it empty.' };
const addressOrNothing = oneLine(254).refine((text) => text === '' || looksLikeEmail(text), notAddress);
/** What was stored before may be less. */
const newAddress = addressOrNothing.refine((text) => text === '' || isSenderAddress(text), notAddress);

const days = (from: number, to: number) => z.number().int().min(from).max(to).describe('Days.');

const fields = {
  allowedDomains: z
    .array(ending)
    .max(1000)
    .describe('`.uk` stands for `.gb`, `.scot`, `.wales`, `.cymru` and `.london` too.'),
  strictValidation: z.boolean(),
  checkMXRecords: z.boolean(),
  ukPolicy: z.enum(ukPolicies),
  batchSize: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .describe('Rows a COPY batch and progress step. Long rows make smaller batches.'),
  maxFileSize: z.number().min(1).max(4096).describe('MB'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(21_600)
    .describe('Seconds for a file to arrive, at most an hour, and as long again to import it.'),
  allowedColumns: z.array(z.string().trim().min(1).max(100)).max(200),
  defaultFormat: z.enum(['csv', 'json', 'xlsx']),
  includeHeaders: z.boolean(),
  maxRecordsPerFile: z.number().int().min(1).max(100_000_000),
  fromName: oneLine(100),
  fromAddress: addressOrNothing,
  replyTo: addressOrNothing,
  company: oneLine(200),
  postalAddress: z
    .string()
    .trim()
    .max(500)
    .regex(/^[^\p{Cc}\u2028\u2029]*(?:\r?\n[^\p{Cc}\u2028\u2029]*)*$/u, {
      error: 'Write the address in plain lines, without control characters.',
    }),
  binDays: days(1, 90),
  receiptDays: days(1, 3650),
  uploadDays: days(1, 30),
  activityDays: days(7, 3650),
};

export const emailValidationSettings = z.object({
  allowedDomains: fields.allowedDomains.default(defaultAllowedDomains),
  strictValidation: fields.strictValidation.default(true),
  checkMXRecords: fields.checkMXRecords.default(false),
  ukPolicy: fields.ukPolicy.default('suffix'),
});

export const importSettings = z.object({
  batchSize: fields.batchSize.default(1000),
  maxFileSize: fields.maxFileSize.default(100),
  timeoutSeconds: fields.timeoutSeconds.default(300),
  allowedColumns: fields.allowedColumns.default(['email', 'name', 'source', 'date']),
});

export const exportSettings = z.object({
  defaultFormat: fields.defaultFormat.default('csv'),
  includeHeaders: fields.includeHeaders.default(true),
  maxRecordsPerFile: fields.maxRecordsPerFile.default(100_000),
});

/** The sender of mail. Fields that are not filled in are empty text. */
export const senderSettings = z.object({
  fromName: fields.fromName.default(''),
  fromAddress: fields.fromAddress.default(''),
  replyTo: fields.replyTo.default(''),
  company: fields.company.default(''),
  postalAddress: fields.postalAddress.default(''),
});

/** How long things are kept. The audit log and the suppression list are kept forever. */
export const retentionSettings = z.object({
  binDays: fields.binDays.default(30),
  receiptDays: fields.receiptDays.default(365),
  uploadDays: fields.uploadDays.default(1),
  activityDays: fields.activityDays.default(365),
});
export type Retention = z.output<typeof retentionSettings>;

export type EmailValidation = z.output<typeof emailValidationSettings>;

export const settings = z
  .object({
    emailValidation: emailValidationSettings,
    import: importSettings,
    export: exportSettings,
    sender: senderSettings,
    retention: retentionSettings,
  })
  .meta({ id: 'Settings' });
export type Settings = z.output<typeof settings>;

export const settingsSections = ['emailValidation', 'import', 'export', 'sender', 'retention'] as const;
export type SettingsSection = (typeof settingsSections)[number];

// Without defaults: an omitted field stays as it is.
const pick = <Name extends keyof typeof fields>(...names: Name[]) =>
  z
    .strictObject(Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<typeof fields, Name>)
    .partial();

/** One section. Omitted fields stay as they are. */
export const settingsChange = z
  .strictObject({
    emailValidation: pick('allowedDomains', 'strictValidation', 'checkMXRecords', 'ukPolicy').optional(),
    import: pick('batchSize', 'maxFileSize', 'timeoutSeconds', 'allowedColumns').optional(),
    export: pick('defaultFormat', 'includeHeaders', 'maxRecordsPerFile').optional(),
    sender: pick('fromName', 'fromAddress', 'replyTo', 'company', 'postalAddress')
      .extend({ fromAddress: newAddress.optional(), replyTo: newAddress.optional() })
      .optional(),
    retention: pick('binDays', 'receiptDays', 'uploadDays', 'activityDays').optional(),
  })
  .refine((change) => settingsSections.filter((section) => change[section] !== undefined).length === 1, {
    error: 'Send exactly one of emailValidation, import, export, sender and retention.',
  });
export type SettingsChange = z.output<typeof settingsChange>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  access: access.member('viewer', 'settings:read'),
  summary: "The workspace's settings.",
  tag: 'Settings',
  response: settings,
});

export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/api/settings',
  access: access.member('admin'),
  summary: 'Change one section of the settings. Fields that are left out stay as they are.',
  tag: 'Settings',
  body: settingsChange,
  response: settings,
});
