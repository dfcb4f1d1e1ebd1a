import type { WebFeature } from '#platform/web/feature.ts';
import { authSearch } from './auth-search.ts';

export { currentUserOptions, signOut, useCurrentUser } from './session.ts';

export const identityFeature: WebFeature = {
  pages: [{ path: '/auth', access: 'signed-out', search: authSearch, load: () => import('./auth-page.tsx') }],
};
