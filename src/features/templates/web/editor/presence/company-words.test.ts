import { describe, expect, it } from 'vitest';
import type { PersonPresent } from '../../../contract/presence.ts';
import { companyWords, initialsOf } from './company-words.ts';

const person = (name: string, more: Partial<PersonPresent> = {}): PersonPresent => ({
  userId: name.length,
  name,
  mayWrite: true,
  isHidden: false,
  ...more,
});
const ann = person('Ann Lee');
const ben = person('Ben Reed');
const cat = person('Cat Moss', { mayWrite: false });

describe('who else has a template open', () => {
  it.each([
    [[], 0, ''],
    [[ann], 0, 'Ann Lee is editing this too'],
    [[ann, ben], 0, 'Ann Lee and Ben Reed are editing this too'],
    [[ann, ben, person('Di Hall')], 0, 'Ann Lee and 2 others are editing this too'],
    [[cat], 0, 'Cat Moss is looking at this'],
    [[cat, ann], 0, 'Ann Lee is editing this too'],
    [[{ ...ann, isHidden: true }], 0, 'Ann Lee has this open'],
    [[], 1, 'You have this open in another tab'],
    [[], 2, 'You have this open in 2 other tabs'],
    [[ann], 1, 'Ann Lee is editing this too. You have this open in another tab'],
  ])('is told in a sentence: %#', (people, ownWindows, words) => {
    expect(companyWords({ people, ownWindows, mayWrite: true })).toBe(words);
  });

  it('says nothing about editing too to whoever may only look', () => {
    expect(companyWords({ people: [ann], ownWindows: 0, mayWrite: false })).toBe('Ann Lee is editing this');
  });

  it.each([
    ['Ann Lee', 'AL'],
    ['ann', 'A'],
    ['Ann van der Lee', 'AL'],
    ['Émile Zola-Ray', 'ÉZ'],
    ['ann.lee@example.co.uk', 'AU'],
    ['42', '?'],
    ['', '?'],
  ])('has initials: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
