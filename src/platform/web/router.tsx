import {
  type AsyncRouteComponent,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouteContext,
} from '@tanstack/react-router';
import { type ComponentType, createContext, type ReactNode, use } from 'react';
import { request } from './api.ts';
import { CentredSpinner } from './components/centred-spinner.tsx';
import { CrashPage } from './components/crash-page.tsx';
import { CurrentUserContext, type CurrentUserOptions, PersonProvider } from './current-user.ts';
import type { PageRoute, WebFeature } from './feature.ts';
import { safePath } from './safe-path.ts';
import { parseQuery, readUrlState, stringifyQuery, writeUrlState } from './url-state.ts';

const FeaturesContext = createContext<readonly WebFeature[]>([]);

/** Every registered feature, in order of registration. */
export const useFeatures = (): readonly WebFeature[] => use(FeaturesContext);

export interface AppRouterOptions {
  features: readonly WebFeature[];
  /** Who is signed in, for the screens. */
  currentUser: CurrentUserOptions;
  /**
   * Whether somebody is signed in. It runs before each signed-in screen, so it should answer from a
   * cache.
   */
  isSignedIn: () => Promise<boolean>;
  signInPath: string;
  /** The frame around signed-in screens. */
  shell: () => Promise<{ default: ComponentType<{ children: ReactNode }> }>;
  notFound: () => ReactNode;
}

const pathsOf = (page: PageRoute): readonly string[] =>
  typeof page.path === 'string' ? [page.path] : page.path;

/**
 * The screen and its links only get what the screen's schema knows and accepts, and what the screen
 * says it cannot read.
 */
const searchOf = ({ search, unread }: PageRoute) =>
  search
    ? {
        validateSearch: (raw: Record<string, unknown>) => ({
          ...Object.fromEntries((unread?.(raw) ?? []).map((name) => [name, raw[name]])),
          ...writeUrlState(search, readUrlState(search, raw)),
        }),
      }
    : {};

/**
 * Fetches a screen's code. The router reloads the page when there is none, as after an update.
 * While the server is away, that would lead out of the application.
 */
async function loadOrSay(page: PageRoute) {
  try {
    return await page.load();
  } catch (error) {
    await request('/', { method: 'HEAD' });
    throw error;
  }
}

/** The screens by path, each fetched when it is first drawn or asked for ahead. */
const lazyScreens = (pages: readonly PageRoute[]) =>
  new Map(
    pages.flatMap((page) =>
      pathsOf(page).map((path) => [path, lazyRouteComponent(() => loadOrSay(page))] as const),
    ),
  );

const fetchCode = (parts: readonly (Pick<AsyncRouteComponent<never>, 'preload'> | undefined)[]) =>
  Promise.all(parts.map((part) => part?.preload?.()));

/** The signed-in screen in the shell, or what a signed-out visitor sees at its path. */
const frameWith = (Shell: ComponentType<{ children: ReactNode }>) =>
  function Frame() {
    const { welcome: Welcome } = useRouteContext({ strict: false }) as { welcome: ComponentType | null };
    if (Welcome) return <Welcome />;
    return (
      <PersonProvider>
        <Shell>
          <Outlet />
        </Shell>
      </PersonProvider>
    );
  };

/** Builds the application's routes from what its features declare. */
export function createAppRouter(options: AppRouterOptions) {
  const { features, currentUser, isSignedIn, signInPath, shell, notFound } = options;
  const pages = features.flatMap((feature) => feature.pages);
  const inShell = pages.filter((page) => page.access === 'signed-in');
  const shellPaths = new Set(inShell.flatMap(pathsOf));
  const outside = pages.filter((page) => page.access !== 'signed-in');
  const screens = lazyScreens(inShell);
  const openScreens = lazyScreens(outside);
  /** Paths that show signed-out visitors another screen instead of sending them to sign in. */
  const welcomes = new Map([...openScreens].filter(([path]) => shellPaths.has(path)));

  const root = createRootRouteWithContext<Record<never, never>>()({
    component: () => (
      <FeaturesContext value={features}>
        <CurrentUserContext value={currentUser}>
          <Outlet />
        </CurrentUserContext>
      </FeaturesContext>
    ),
    notFoundComponent: notFound,
  });

  const Shell = lazyRouteComponent(shell) as AsyncRouteComponent<{ children: ReactNode }>;
  const frame = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    beforeLoad: async ({ location, matches }) => {
      const welcome = welcomes.get(location.pathname);
      // The code comes while the server says who is there, and nothing is drawn without it: React
      // would draw a spinner first, and hold back the screen. A failed fetch is told when drawn.
      const parts = [Shell, ...matches.map(({ fullPath }) => screens.get(fullPath))];
      if (!welcome) void fetchCode(parts);
      const isThere = await isSignedIn();
      await fetchCode(isThere ? parts : [welcome]);
      if (isThere) return { welcome: null };
      if (welcome) return { welcome };
      throw redirect({ to: signInPath, search: { next: location.href } });
    },
    component: frameWith(Shell),
  });

  const signedIn = inShell.flatMap((page) =>
    pathsOf(page).map((path) =>
      createRoute({
        getParentRoute: () => frame,
        path,
        ...searchOf(page),
        component: screens.get(path),
      }),
    ),
  );
  const open = outside.flatMap((page) =>
    pathsOf(page)
      .filter((path) => !shellPaths.has(path))
      .map((path) =>
        createRoute({
          getParentRoute: () => root,
          path,
          ...searchOf(page),
          beforeLoad: async ({ search }) => {
            if (page.access !== 'signed-out' || !(await isSignedIn())) return;
            throw redirect({ href: safePath((search as Record<string, unknown>).next) });
          },
          component: openScreens.get(path),
        }),
      ),
  );

  return createRouter({
    routeTree: root.addChildren([frame.addChildren(signedIn), ...open]),
    parseSearch: parseQuery,
    stringifySearch: stringifyQuery,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: CentredSpinner,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });
}
