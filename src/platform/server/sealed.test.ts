import { describe, expect, it } from 'vitest';
import { createSealer } from './sealed.ts';

const today = 'k'.repeat(40);
const before = 'b'.repeat(40);

describe('sealed secrets', () => {
  it('open with the same key, in the same place', () => {
    const sealer = createSealer(today);
    const sealed = sealer.seal('a private key ü', 'row 7');
    expect(sealed).not.toContain('private');
    expect(sealer.open(sealed, 'row 7')).toBe('a private key ü');
    expect(createSealer(today).open(sealed, 'row 7')).toBe('a private key ü');
  });

  it('look different each time', () => {
    const sealer = createSealer(today);
    expect(sealer.seal('x', 'row 7')).not.toBe(sealer.seal('x', 'row 7'));
  });

  it('do not open in another place, or changed', () => {
    const sealer = createSealer(today);
    const sealed = sealer.seal('secret', 'row 7');
    expect(() => sealer.open(sealed, 'row 8')).toThrow();
    const [version, id, text = ''] = sealed.split('.');
    for (const at of [0, 14, text.length - 2]) {
      const bent = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      expect(() => sealer.open(`${version}.${id}.${bent}`, 'row 7')).toThrow();
    }
    expect(() => sealer.open(`${version}.${id}.AAAA`, 'row 7')).toThrow();
    expect(() => sealer.open('plain', 'row 7')).toThrow('SECRET_KEY');
  });

  it('of a previous key open while that is named, and are told apart', () => {
    const old = createSealer(before).seal('secret', 'row 7');
    const sealer = createSealer(today, [before]);
    expect(sealer.open(old, 'row 7')).toBe('secret');
    expect(sealer.isCurrent(old)).toBe(false);
    const renewed = sealer.seal(sealer.open(old, 'row 7'), 'row 7');
    expect(sealer.isCurrent(renewed)).toBe(true);
    expect(createSealer(today).open(renewed, 'row 7')).toBe('secret');
    expect(() => createSealer(today).open(old, 'row 7')).toThrow('SECRET_KEY');
  });
});
