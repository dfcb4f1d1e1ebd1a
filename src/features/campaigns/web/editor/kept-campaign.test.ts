import { describe, expect, it } from 'vitest';
import { emailContent } from '#features/templates/rules/email-content.ts';
import { readKept } from '#platform/web/read-kept.ts';
import { campaignAudience } from '../../contract.ts';

const lists = (count: number) => Array.from({ length: count }, (_, index) => ({ list: index + 1 }));
const visual = (block: object) => ({ mode: 'visual', document: { version: 1, blocks: [block] } });
const text = { id: 'a', type: 'text', align: 'left' };

describe('what this browser has kept of a campaign', () => {
  it.each([
    ['more lists than may be', campaignAudience, { include: lists(51), exclude: [], notMailedDays: 5_000 }],
    ['a longer text than may be', emailContent, visual({ ...text, html: 'a'.repeat(50_001) })],
    ['half a colour', emailContent, visual({ ...text, html: '', ground: { colour: '#ff' } })],
  ])('is read with %s, though the server would refuse it', (_, schema, kept) => {
    expect(schema.safeParse(kept).success).toBe(false);
    expect(readKept(schema, kept)).toBe(kept);
  });

  it('is not read where another program has written it', () => {
    expect(readKept(emailContent, visual({ ...text, html: 'Tea' }))).toMatchObject({ mode: 'visual' });
    for (const kept of [
      null,
      'x',
      {},
      { mode: 'sketch' },
      visual({ ...text, type: 'carousel' }),
      visual(text),
    ])
      expect(readKept(emailContent, kept)).toBeNull();
    expect(readKept(campaignAudience, { include: lists(51), exclude: 'none' })).toBeNull();
    expect(readKept(campaignAudience, { include: [{ list: 'Tea' }] })).toBeNull();
  });
});
