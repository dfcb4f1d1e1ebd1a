import type { WebFeature } from '#platform/web/feature.ts';
import { signInWords } from '../rules/words.ts';
import { authSearch, resetSearch } from './auth-search.ts';

export { enterWorkspace, signOut } from './leaving.ts';
export { loginAddress } from './login-address.ts';
export { currentUserOptions } from './session.ts';

export const signInFeature: WebFeature = {
  words: signInWords,
  background: () => import('./leave-question.tsx'),
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
