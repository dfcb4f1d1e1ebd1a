import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

export const defaultAllowedDomains = ['.uk', '.co.uk', '.org.uk', '.me.uk', '.ac.uk', '.gov.uk', '.nhs.uk', '.police.uk'];
export const ukPolicies = ['suffix', 'likely', 'any_but_foreign_cctld'] as const;
export type UkPolicy = (typeof ukPolicies)[number];

export const emailValidationSettings = z.object({
  allowedDomains: z.array(z.string().trim().min(1).max(253)).max(1000).default(defaultAllowedDomains),
  strictValidation: z.boolean().default(true),
  checkMXRecords: z.boolean().default(false),
  ukPolicy: z.enum(ukPolicies).default('suffix'),
});

export const importSettings = z.object({
  batchSize: z.number().int().min(1).max(100_000).default(1000).describe('Rows a COPY batch and progress step.'),
  maxFileSize: z.number().min(1).max(4096).default(100).describe('MB'),
  timeoutSeconds: z.number().int().min(1).max(86_400).default(300).describe('The whole import.'),
  allowedColumns: z.array(z.string().trim().min(1).max(100)).max(200).default(['email', 'name', 'source', 'date']),
});

export const exportSettings = z.object({
  defaultFormat: z.enum(['csv', 'json', 'xlsx']).default('csv'),
  includeHeaders: z.boolean().default(true),
  maxRecordsPerFile: z.number().int().min(1).max(100_000_000).default(100_000),
});

export const settings = z.object({
  emailValidation: emailValidationSettings,
  import: importSettings,
  export: exportSettings,
});
export type Settings = z.output<typeof settings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  access: access.member('viewer'),
  summary: "The workspace's settings.",
  tag: 'Settings',
  response: settings,
});
