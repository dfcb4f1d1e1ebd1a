import { describe, expect, it } from 'vitest';
import type { AdminImport, AdminTask, Performance } from '../contract.ts';
import { actionWords, importNote, performanceLines, scheduleWords, taskNote } from './words.ts';

const measured: Performance = {
  accuracy: { target: 99.5, measured: 99.7, addresses: 1000, right: 997 },
  processing: { targetSeconds: 2.3, seconds: 4.118, secondsPer100k: 1.234, imports: 12, rows: 4_000_000 },
  uptime: { target: 99.9, measured: 99.87, since: '2025-11-02T08:00:00Z', breaks: 2, downSeconds: 150 },
};

describe('performanceLines', () => {
  it('sets what was measured beside the target and says whether it is met', () => {
    expect(performanceLines(measured).map(({ measured, target, met }) => [measured, target, met])).toEqual([
      ['99.7%', '99.5%', true],
      ['4.12s', '2.3s', false],
      ['99.87%', '99.9%', false],
    ]);
    expect(performanceLines(measured).map(({ basis }) => basis)).toEqual([
      '997 of 1,000 labelled addresses',
      'mean of 12 imports, 4,000,000 rows; 1.23s per 100,000 rows',
      'down for 3 min since 2 Nov 2025',
    ]);
  });

  it('claims nothing where nothing was measured', () => {
    const [, processing, uptime] = performanceLines({
      ...measured,
      processing: { ...measured.processing, seconds: null, secondsPer100k: null, imports: 0, rows: 0 },
      uptime: { ...measured.uptime, measured: null, since: null },
    });
    expect([processing?.measured, processing?.met]).toEqual(['Not measured yet', null]);
    expect([uptime?.measured, uptime?.met]).toEqual(['Not measured yet', null]);
  });
});

describe('scheduleWords', () => {
  it.each([
    [null, 'When needed'],
    ['* * * * *', 'Every minute'],
    ['17 3 * * *', 'Daily at 03:17'],
    ['5 * * * *', 'Every hour at :05'],
    ['0 3 * * 1', '0 3 * * 1'],
    ['*/5 * * * *', '*/5 * * * *'],
  ])('%s is %s', (cron, expected) => {
    expect(scheduleWords(cron)).toBe(expected);
  });
});

describe('taskNote', () => {
  const task = {
    status: 'running',
    error: null,
    done: 1200,
    total: 5000,
    phase: null,
    cancelRequested: false,
  };
  it.each([
    [{}, '1,200 of 5,000'],
    [{ total: null, phase: 'Reading' }, 'Reading: 1,200'],
    [{ status: 'waiting', phase: 'Waiting for a newer version' }, 'Waiting for a newer version'],
    [{ cancelRequested: true }, 'Stops at its next checkpoint'],
    [{ status: 'failed', error: 'The disk is full.' }, 'The disk is full.'],
    [{ status: 'completed' }, ''],
  ])('%j: %s', (change, expected) => {
    expect(taskNote({ ...task, ...change } as AdminTask)).toBe(expected);
  });
});

describe('actionWords', () => {
  const line = { id: 1, actor: 'boss@example.org', createdAt: '2026-11-21T10:00:00Z' };
  it.each([
    ['user.suspended', 'user:3', { email: 'tom@gmail.com' }, 'Suspended tom@gmail.com'],
    ['task.retried', 'task:3/4', { title: 'Verify 7 contacts' }, 'Retried “Verify 7 contacts”'],
    ['job.cancelled', 'job:mail.deliver', {}, 'Cancelled the job mail.deliver'],
  ])('%s', (action, subject, details, expected) => {
    expect(actionWords({ ...line, action, subject, details })).toBe(expected);
  });
});

describe('importNote', () => {
  const note = (values: Partial<AdminImport>) =>
    importNote({
      status: 'running',
      error: null,
      rows: null,
      phase: null,
      share: null,
      ...values,
    } as AdminImport);

  it('says how far a running import is, in as much as is known', () => {
    expect(note({})).toBe('');
    expect(note({ phase: 'uploading', share: 0.049 })).toBe('uploading: 4%');
    expect(note({ phase: 'reading', share: 0.25, rows: 1200 })).toBe('reading: 25%, 1,200 rows');
  });

  it('says why one failed, and how much one that is done had', () => {
    expect(note({ status: 'failed', error: 'The disk is full.', rows: 9 })).toBe('The disk is full.');
    expect(note({ status: 'completed', rows: 1 })).toBe('1 row');
  });
});
