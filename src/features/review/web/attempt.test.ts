import { notifications } from '@mantine/notifications';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tellEnd } from './attempt.ts';

afterEach(() => vi.restoreAllMocks());

/** The title and the words of the toast that this tells. */
function told(ended: Parameters<typeof tellEnd>[0]) {
  const show = vi.spyOn(notifications, 'show').mockReturnValue('');
  vi.spyOn(notifications, 'clean').mockReturnValue();
  tellEnd(ended, 'Addresses Corrected', 'Correction Cancelled', { message: '2 addresses corrected.' });
  const { title, message } = show.mock.lastCall?.[0] ?? expect.unreachable();
  return [title, JSON.stringify(message)];
}

describe('how the work of a decision ended', () => {
  it('is told with what was done before', () => {
    const both = expect.stringContaining('The disk is full. 2 addresses corrected.');
    expect(told({ status: 'failed', message: 'The disk is full.' })).toEqual(['Error', both]);
    const part = expect.stringContaining('"2 addresses corrected."');
    expect(told({ status: 'cancelled', message: 'No.' })).toEqual(['Correction Cancelled', part]);
    expect(told({ status: 'completed' })).toEqual(['Addresses Corrected', part]);
  });

  it('is not known once this page may not see it any more, and no more is said', () => {
    const message = 'How this ended is not known.';
    const alone = expect.stringContaining(JSON.stringify(message));
    expect(told({ status: 'failed', message, isUnknown: true })).toEqual(['Not Known', alone]);
  });
});
