import { type UseSuspenseQueryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { mayAs, type Role } from '#platform/shared/contract.ts';

/** Who is signed in, and where they are at work: as much as any screen may ask. */
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
  /** True while the workspace asks for two-factor sign-in and they have none. */
  needsTwoFactor: boolean;
}

/** How the signed-in person is looked up; null when nobody is signed in. */
export type CurrentUserOptions = UseSuspenseQueryOptions<CurrentUser | null>;

/** Filled by `apps/web.tsx` with the look-up of the feature that signs people in. */
export const CurrentUserContext = createContext<CurrentUserOptions | null>(null);

/** The signed-in person. For signed-in screens only: their route has made sure there is one. */
export function useCurrentUser(): CurrentUser {
  const options = use(CurrentUserContext);
  if (!options) throw new Error('Nothing says who is signed in.');
  const { data } = useSuspenseQuery(options);
  if (!data) throw new Error('A signed-in screen was drawn for a signed-out visitor.');
  return data;
}

/** Whether the signed-in person may do what takes this role in their workspace. */
export const useMay = (needed: Role): boolean => mayAs(useCurrentUser().role, needed);
