import type { WebFeature } from '#platform/web/feature.ts';
import { signInWords } from '../rules/words.ts';
import { authSearch, resetSearch } from './auth-search.ts';

export { loginAddress } from './login-address.ts';
export { currentUserOptions, enterWorkspace } from './session.ts';
export { signOut } from './sign-out.ts';

export const signInFeature: WebFeature = {
  words: signInWords,
  background: () => import('./sign-out-question.tsx'),
  pages: [
    { path: '/auth', access: 'signed-out', search: authSearch, load: () => import('./auth-page.tsx') },
    { path: '/forgot-password', access: 'public', load: () => import('./forgot-page.tsx') },
    {
      path: '/reset-password',
      access: 'public',
      search: resetSearch,
      load: () => import('./reset-page.tsx'),
    },
  ],
};
