import { describe, expect, it } from 'vitest';
import type { AuditWords } from '#platform/shared/feature-words.ts';
import { auditLanguage, counted, numbered, subjectWords } from './rules.ts';

const dogs: AuditWords = {
  areas: { dogs: { order: 2, label: 'Dogs' }, cats: { order: 1, label: 'Cats' } },
  kinds: { dogs: ['dog', 'dogs'] },
  actions: { 'dog.away': 'A dog ran away' },
  details: {
    walkId: { order: 300, say: numbered('walk') },
    fed: { order: 101, say: counted('fed') },
  },
};
const birds: AuditWords = { kinds: { cats: ['bird'] } };

describe('the language of the audit log', () => {
  const language = auditLanguage([dogs, undefined, birds]);

  it('has the areas of all features in their order, with the kinds that others add', () => {
    expect(language.areas).toEqual([
      { name: 'cats', label: 'Cats', kinds: ['bird'] },
      { name: 'dogs', label: 'Dogs', kinds: ['dog', 'dogs'] },
    ]);
  });

  it.each([
    ['dog.away', 'A dog ran away'],
    ['dogs.counted_twice', 'Dogs counted twice'],
  ])('reads %s as "%s"', (action, words) => {
    expect(language.actionWords(action)).toBe(words);
  });

  it.each([
    [{ walkId: 7, fed: 2, name: 'Rex' }, 'name: Rex, 2 fed, walk 7'],
    [{ fed: 0, name: 'Rex' }, 'name: Rex'],
    [{ walkId: { from: 1, to: 2 } }, 'walk id: 1 → 2'],
    [{ unheardOf: true, constructor: 3 }, 'constructor: 3, unheard of: yes'],
  ])('reads %j as "%s"', (details, words) => {
    expect(language.detailWords(details)).toBe(words);
  });

  it.each<[string, AuditWords]>([
    ['an area', { areas: { dogs: { order: 9, label: 'More dogs' } } }],
    ['a kind of action', { kinds: { cats: ['dog'] } }],
    ['an action', { actions: { 'dog.away': 'Gone' } }],
    ['a detail', { details: { fed: { order: 1 } } }],
    ['a detail of every line', { details: { email: { order: 1 } } }],
  ])('refuses %s that is declared twice', (_what, words) => {
    expect(() => auditLanguage([dogs, words])).toThrow(RangeError);
  });

  it('refuses a kind of an area that nobody declares', () => {
    expect(() => auditLanguage([{ kinds: { fish: ['fish'] } }])).toThrow('fish');
  });

  it('names what was changed without its colon', () => {
    expect(subjectWords('domain_suppression:7')).toBe('domain suppression 7');
    expect(subjectWords('contacts')).toBe('contacts');
  });
});
