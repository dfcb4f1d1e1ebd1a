import { expect, it } from 'vitest';
import { usesInWords } from './uses-in-words.ts';

it('says what a deleted list leaves without it', () => {
  const view = { kind: 'view' as const, id: 1, name: 'Mine' };
  const segment = { kind: 'list' as const, id: 1, name: 'Quiet' };
  expect(usesInWords([])).toBe('');
  expect(usesInWords([view])).toBe(' The view “Mine” still asks for it and cannot be opened.');
  expect(usesInWords([segment, view, { ...segment, id: 2, name: 'Loud' }])).toBe(
    ' The view “Mine” still asks for it and cannot be opened.' +
      ' The segments “Quiet”, “Loud” still ask for it and cannot be read any more.',
  );
  const template = { kind: 'template' as const, id: 1, name: 'News' };
  expect(usesInWords([template])).toBe(
    ' The template “News” still asks for it and shows those blocks to nobody.',
  );
  expect(usesInWords([template, { ...template, id: 2, name: 'Sale' }])).toBe(
    ' The templates “News”, “Sale” still ask for it and show those blocks to nobody.',
  );
  const campaign = { kind: 'campaign' as const, id: 1, name: 'Spring' };
  expect(usesInWords([campaign, { ...campaign, id: 2, name: 'May', onlyBlocks: true }])).toBe(
    ' The campaign “Spring” still asks for it and cannot be sent.' +
      ' The campaign “May” still asks for it and shows those blocks to nobody.',
  );
});
