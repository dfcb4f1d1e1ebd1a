import { describe, expect, it } from 'vitest';
import { type AudiencePart, audiencePart } from '../contract/audience-part.ts';
import { keyOf, partOf } from './part-key.ts';

describe('a part of an audience as one text', () => {
  it.each<AudiencePart>([
    { list: 3 },
    { tag: 4 },
    { sent: 5 },
    { opened: 5 },
    { notOpened: 5 },
    { clicked: 5 },
    { filter: { uk: 'uk', list: [1, 2], search: 'a b "c" {d} é' } },
  ])('%j reads back as it was', (part) => {
    expect(partOf(keyOf(part))).toEqual(part);
  });

  it.each(['', 'list', 'list ', 'list none', 'list 0', 'list -1', 'list 1e3', 'filter', 'filter [1]'])(
    '“%s” is never a part that means more people',
    (key) => {
      expect(partOf(key)).toEqual({ filter: { unread: key } });
    },
  );

  it.each(['filter null', 'filter {', 'segment 3', 'toString 1', 'list 99999999999999999999'])(
    '“%s” is a filter that the server refuses, and not a broken call',
    (key) => {
      expect(audiencePart.safeParse(partOf(key)).data).toEqual({ filter: { unread: key } });
    },
  );
});
