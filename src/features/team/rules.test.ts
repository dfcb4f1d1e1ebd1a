import { describe, expect, it } from 'vitest';
import { type Role, roles } from '#platform/shared/contract.ts';
import { changeProblem, invitingProblem, twoFactorRuleProblem } from './rules.ts';

const others = { owners: 2, self: false };

describe('changing a role', () => {
  it('is for admins and owners, and owners are for owners', () => {
    const allowed = roles.flatMap((actor) =>
      roles.flatMap((from) =>
        roles
          .filter((to) => changeProblem({ actor, from, to, ...others }) === null)
          .map((to) => `${actor}: ${from} to ${to}`),
      ),
    );
    expect(allowed).toHaveLength(5 * 5 + 4 * 4);
    expect(allowed).toContain('admin: admin to viewer');
    expect(allowed).not.toContain('admin: viewer to owner');
    expect(allowed).not.toContain('admin: owner to viewer');
    expect(allowed.filter((line) => /^(viewer|editor|sender):/.test(line))).toEqual([]);
  });
});

describe('the last owner', () => {
  const last = { from: 'owner' as const, owners: 1 };

  it.each<[Role | null, boolean]>([
    ['admin', true],
    [null, true],
    ['viewer', false],
    [null, false],
  ])('cannot become %s (by themselves: %s)', (to, self) => {
    expect(changeProblem({ actor: 'owner', ...last, to, self })).toMatch(/only owner|needs an owner/);
  });

  it('may stay owner, and may go once there is another', () => {
    expect(changeProblem({ actor: 'owner', ...last, to: 'owner', self: true })).toBeNull();
    expect(changeProblem({ actor: 'owner', from: 'owner', to: null, owners: 2, self: true })).toBeNull();
  });
});

it('lets everybody else leave, and only themselves', () => {
  for (const role of ['viewer', 'editor', 'sender'] as const) {
    expect(changeProblem({ actor: role, from: role, to: null, owners: 1, self: true })).toBeNull();
    expect(changeProblem({ actor: role, from: 'viewer', to: null, owners: 1, self: false })).not.toBeNull();
  }
});

it('lets admins invite up to admin', () => {
  const by = (actor: Role) => roles.filter((role) => invitingProblem(actor, role) === null);
  expect(by('sender')).toEqual([]);
  expect(by('admin')).toEqual(['viewer', 'editor', 'sender', 'admin']);
  expect(by('owner')).toEqual([...roles]);
});

it('lets admins and owners require two-factor sign-in once they have it, and give it up in any case', () => {
  const may = (role: Role, twoFactor: boolean, required: boolean) =>
    twoFactorRuleProblem({ role, twoFactor }, required)?.code ?? 'may';
  expect(roles.map((role) => may(role, true, true))).toEqual([
    'forbidden',
    'forbidden',
    'forbidden',
    'may',
    'may',
  ]);
  expect(may('owner', false, true)).toBe('conflict');
  expect(may('owner', false, false)).toBe('may');
  expect(may('sender', true, false)).toBe('forbidden');
});
