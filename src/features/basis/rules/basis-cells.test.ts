import { expect, it } from 'vitest';
import { bases } from '#features/contacts/contract.ts';
import { basisLabels } from '../rules.ts';
import { basisInCell } from './basis-cells.ts';

it('reads each basis as the product writes it, for programs and for people', () => {
  for (const basis of bases) {
    expect(basisInCell(basis)).toBe(basis);
    expect(basisInCell(` ${basisLabels[basis].toUpperCase()} `)).toBe(basis);
  }
});

it('claims nothing for what it does not understand, and nothing at all for an empty cell', () => {
  expect(basisInCell('  ')).toBeNull();
  for (const text of ['yes', 'legitimate interest', 'customer', '?'])
    expect(basisInCell(text)).toBe('unknown');
  expect(basisInCell('Opted-out')).toBe('none');
});
