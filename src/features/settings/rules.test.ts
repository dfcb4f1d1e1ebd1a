import { describe, expect, it } from 'vitest';
import { settings, settingsChange } from './contract.ts';
import { changedFields, completeSettings } from './rules.ts';

describe('completeSettings', () => {
  it('gives every default to a workspace that stored nothing', () => {
    expect(completeSettings({})).toEqual({
      emailValidation: {
        allowedDomains: ['.uk', '.co.uk', '.org.uk', '.me.uk', '.ac.uk', '.gov.uk', '.nhs.uk', '.police.uk'],
        strictValidation: true,
        checkMXRecords: false,
        ukPolicy: 'suffix',
      },
      import: {
        batchSize: 1000,
        maxFileSize: 100,
        timeoutSeconds: 300,
        allowedColumns: ['email', 'name', 'source', 'date'],
      },
      export: { defaultFormat: 'csv', includeHeaders: true, maxRecordsPerFile: 100_000 },
      sender: { fromName: '', fromAddress: '', replyTo: '', company: '', postalAddress: '' },
      retention: { binDays: 30, receiptDays: 365, uploadDays: 1, activityDays: 365 },
    });
  });

  it('keeps the good fields of a section when one of them is no longer taken', () => {
    const complete = completeSettings({
      import: { batchSize: -5, maxFileSize: 12, gone: true },
      export: 'csv',
      emailValidation: null,
    });
    expect(complete.import).toMatchObject({ batchSize: 1000, maxFileSize: 12 });
    expect(complete.import).not.toHaveProperty('gone');
    expect(complete.export.defaultFormat).toBe('csv');
    expect(settings.safeParse(complete).success).toBe(true);
  });
});

describe('settingsChange', () => {
  it('takes one section and does not fill in the fields that were left out', () => {
    expect(settingsChange.parse({ import: { batchSize: 7 } })).toEqual({ import: { batchSize: 7 } });
  });

  it.each([
    ['no sender at all', { sender: { fromAddress: '', replyTo: '  ', company: '' } }],
    ['an address of several lines', { sender: { postalAddress: '1 High Street\nLeeds\r\nLS1 1AA' } }],
    [
      'endings of any script, with and without a dot',
      { emailValidation: { allowedDomains: ['uk', '.рф', ' .co.uk '] } },
    ],
  ])('takes %s', (_name, body) => {
    expect(settingsChange.safeParse(body).error).toBeUndefined();
  });

  it.each([
    ['no section', {}],
    ['two sections', { import: { batchSize: 1 }, export: { includeHeaders: true } }],
    ['an unknown section', { sending: {} }],
    ['an unknown field', { import: { batchSise: 5 } }],
    ['a number as text', { import: { batchSize: '5' } }],
    ['an ending with an @', { emailValidation: { allowedDomains: ['.uk', 'anna@shop.uk'] } }],
    ['a header hidden in a name', { sender: { fromName: 'Acme\r\nBcc: all@acme.uk' } }],
    ['a sender that is no address', { sender: { fromAddress: 'news at acme.uk' } }],
    ['a bin that is emptied at once', { retention: { binDays: 0 } }],
    ['a bin of a year', { retention: { binDays: 365 } }],
  ])('refuses %s', (_name, body) => {
    expect(settingsChange.safeParse(body).success).toBe(false);
  });
});

it('changedFields names only what differs, lists by their content', () => {
  const before = { allowedDomains: ['.uk'], strictValidation: true };
  expect(changedFields(before, { allowedDomains: ['.uk'], strictValidation: false })).toEqual({
    strictValidation: { from: true, to: false },
  });
});
