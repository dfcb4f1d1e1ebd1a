import { type UseSuspenseQueryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, createElement, type ReactNode, use, useState } from 'react';
import { mayAs, type Role } from '#platform/shared/contract.ts';
import { ApiError } from './api.ts';

/** Who is signed in, and in which workspace: as much as any screen may ask. */
export interface CurrentUser {
  id: string;
  firstName: string;
  name: string;
  email: string;
  /** True for the administrator of the installation. */
  isAdmin: boolean;
  /** Their role in the workspace. */
  role: Role;
  workspace: { id: number; name: string; requiresTwoFactor: boolean };
  /** True while the workspace requires two-factor sign-in and they have none. */
  needsTwoFactor: boolean;
}

/** How to look up the signed-in person. Null when nobody is signed in. */
export type CurrentUserOptions = UseSuspenseQueryOptions<CurrentUser | null>;

/** `apps/web.tsx` fills it with the look-up of the feature that signs people in. */
export const CurrentUserContext = createContext<CurrentUserOptions | null>(null);

const PersonContext = createContext<CurrentUser | null>(null);
const RefusalContext = createContext<ApiError | null>(null);

/**
 * Gives the screens below it the signed-in person. When the session ends, they keep the last one
 * until the router has led away from them: nothing may be drawn for nobody meanwhile.
 */
export function PersonProvider({ children }: { children: ReactNode }) {
  const options = use(CurrentUserContext);
  if (!options) throw new Error('Nothing says who is signed in.');
  const { data, error } = useSuspenseQuery(options);
  const [last, setLast] = useState(data);
  if (data !== null && data !== last) setLast(data);
  const isMoved = error instanceof ApiError && error.code === 'workspace_changed';
  return createElement(
    PersonContext,
    { value: data ?? last },
    createElement(RefusalContext, { value: isMoved ? error : null }, children),
  );
}

/** That the person is at work in another workspace than the page shows, as it was last refused. */
export const useMovedElsewhere = (): ApiError | null => use(RefusalContext);

/** The signed-in person. Only for signed-in screens: their route ensures that there is one. */
export function useCurrentUser(): CurrentUser {
  const person = use(PersonContext);
  if (!person) throw new Error('A signed-in screen was drawn for a signed-out visitor.');
  return person;
}

/** Whether the signed-in person may do what needs this role in their workspace. */
export const useMay = (needed: Role): boolean => mayAs(useCurrentUser().role, needed);
