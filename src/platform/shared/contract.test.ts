import { expect, it } from 'vitest';
import { mayAs, roles } from './contract.ts';

it('each role may do what the ones before it may, and no more', () => {
  for (const [place, role] of roles.entries())
    expect(roles.filter((needed) => mayAs(role, needed))).toEqual(roles.slice(0, place + 1));
});
