import { z } from 'zod';
import { defaultAllowedDomains, ukPolicies } from '#features/addresses/contract.ts';
import { access, endpoint } from '#platform/shared/contract.ts';

const fields = {
  allowedDomains: z.array(z.string().trim().min(1).max(253)).max(1000),
  strictValidation: z.boolean(),
  checkMXRecords: z.boolean(),
  ukPolicy: z.enum(ukPolicies),
  batchSize: z.number().int().min(1).max(100_000).describe('Rows a COPY batch and progress step.'),
  maxFileSize: z.number().min(1).max(4096).describe('MB'),
  timeoutSeconds: z.number().int().min(1).max(86_400).describe('The whole import.'),
  allowedColumns: z.array(z.string().trim().min(1).max(100)).max(200),
  defaultFormat: z.enum(['csv', 'json', 'xlsx']),
  includeHeaders: z.boolean(),
  maxRecordsPerFile: z.number().int().min(1).max(100_000_000),
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

export type EmailValidation = z.output<typeof emailValidationSettings>;

export const settings = z.object({
  emailValidation: emailValidationSettings,
  import: importSettings,
  export: exportSettings,
});
export type Settings = z.output<typeof settings>;

export const settingsSections = ['emailValidation', 'import', 'export'] as const;
export type SettingsSection = (typeof settingsSections)[number];

// Without defaults: a field that was left out stays as it is.
const pick = <Name extends keyof typeof fields>(...names: Name[]) =>
  z
    .strictObject(Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<typeof fields, Name>)
    .partial();

/** One section; the fields that are left out stay as they are. */
export const settingsChange = z
  .strictObject({
    emailValidation: pick('allowedDomains', 'strictValidation', 'checkMXRecords', 'ukPolicy').optional(),
    import: pick('batchSize', 'maxFileSize', 'timeoutSeconds', 'allowedColumns').optional(),
    export: pick('defaultFormat', 'includeHeaders', 'maxRecordsPerFile').optional(),
  })
  .refine((change) => settingsSections.filter((section) => change[section] !== undefined).length === 1, {
    error: 'Send exactly one of emailValidation, import and export.',
  });
export type SettingsChange = z.output<typeof settingsChange>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  access: access.member('viewer'),
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
