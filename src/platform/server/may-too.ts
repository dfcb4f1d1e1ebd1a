import { mayAs, type Role, type Scope } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Caller } from './http.ts';

// What a call does or shows for some of those who may make it. What it does for all of them is said
// by its `access`.

/** Whether a key has a scope beyond those that the call needs. People need none. */
export const hasScope = ({ key }: Caller, scope: Scope): boolean => !key || key.scopes.includes(scope);

/** Refuses a key without the scope. `purpose` is what it takes it for: “read this message”. */
export function needScope(caller: Caller, scope: Scope, purpose: string): void {
  if (hasScope(caller, scope)) return;
  throw new AppError('forbidden', `To ${purpose}, the key needs the scope ${scope}.`);
}

/**
 * Whether the caller may do what takes a higher role than the call: a person with that role, or a
 * key with the scope that acts for one.
 */
export function mayToo(caller: Caller, { role, scope }: { role: Role; scope: Scope }): boolean {
  const held = caller.key?.role ?? caller.workspace?.role;
  return held !== undefined && mayAs(held, role) && hasScope(caller, scope);
}
