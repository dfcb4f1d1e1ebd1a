import { describe, expect, it } from 'vitest';
import { mostColumns } from '#features/views/contract.ts';
import { moved, withColumn } from './column-order.ts';

const order = ['status', 'name', 'risk'];

describe('a column', () => {
  it('is shown last, and hidden from where it stood', () => {
    expect(withColumn(order, 'domain', true)).toEqual([...order, 'domain']);
    expect(withColumn(order, 'name', false)).toEqual(['status', 'risk']);
    expect(withColumn(order, 'status', true)).toEqual(['name', 'risk', 'status']);
  });

  it('leaves the address when it was the last one', () => {
    expect(withColumn(['name'], 'name', false)).toEqual(['address']);
    expect(withColumn(['address'], 'name', true)).toEqual(['name']);
  });

  it('finds no place where as many are shown as may be', () => {
    const full = Array.from({ length: mostColumns }, (_, n) => `field:${n}`);
    expect(withColumn(full, 'name', true)).toEqual(full);
  });

  it('moves by a place, and not past an end', () => {
    expect(moved(order, 'risk', -1)).toEqual(['status', 'risk', 'name']);
    expect(moved(order, 'status', 1)).toEqual(['name', 'status', 'risk']);
    expect(moved(order, 'status', -1)).toEqual(order);
    expect(moved(order, 'risk', 1)).toEqual(order);
    expect(moved(order, 'domain', 1)).toEqual(order);
  });
});
