export { NotFoundPage } from './not-found-page.tsx';

/** The frame around signed-in screens, loaded once somebody is signed in. */
export const loadShell = () => import('./shell.tsx');
