import '@mantine/notifications/styles.layer.css';
import { AppShell } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { TwoFactorGate } from '#features/team/web/index.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { deferred } from '#platform/web/components/deferred.tsx';
import { ShellSlotsContext } from '#platform/web/components/page.tsx';
import { FloatingAreaContext } from '#platform/web/components/selection-bar.tsx';
import { usePhone, useWide } from '#platform/web/components/use-phone.ts';
import { useCurrentUser } from '#platform/web/current-user.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { useFeatures } from '#platform/web/router.tsx';
import { Header } from './header.tsx';
import { Palette } from './palette.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

const sidebarWidth = 232;
const asideWidth = 392;

/**
 * The signed-in product. Members who must first set up two-factor sign-in for their workspace see
 * that instead.
 */
export default function Shell({ children }: { children: ReactNode }) {
  return useCurrentUser().needsTwoFactor ? <TwoFactorGate /> : <Frame>{children}</Frame>;
}

/** Sidebar, header, the screen, and a record beside it. */
function Frame({ children }: { children: ReactNode }) {
  const [menuOpen, menu] = useDisclosure(false);
  const [title, setTitle] = useState<HTMLElement | null>(null);
  const [aside, setAside] = useState<HTMLElement | null>(null);
  const [asideOpen, setAsideOpen] = useState(false);
  const phone = usePhone();
  const wide = useWide();
  useClosingMenu(menu.close);
  const slots = useMemo(() => ({ title, aside, setAsideOpen }), [title, aside]);
  const area = useMemo(
    () => ({ left: phone ? 0 : sidebarWidth, right: asideOpen && wide ? asideWidth : 0 }),
    [phone, wide, asideOpen],
  );
  return (
    <ShellSlotsContext value={slots}>
      <FloatingAreaContext value={area}>
        <AppShell
          layout="alt"
          withBorder={false}
          header={{ height: 52 }}
          navbar={{
            width: { base: 280, sm: sidebarWidth },
            breakpoint: 'sm',
            collapsed: { mobile: !menuOpen },
          }}
          aside={{ width: asideWidth, breakpoint: 'lg', collapsed: { desktop: !asideOpen, mobile: true } }}
          transitionDuration={0}
        >
          <a href="#content" className={classes.skip}>
            Skip to the content
          </a>
          <AppShell.Navbar className={classes.sidebar} aria-label="Main" data-open={menuOpen || undefined}>
            <Sidebar onClose={menu.close} />
          </AppShell.Navbar>
          {menuOpen && phone && <div className={classes.overlay} onClick={menu.close} aria-hidden />}
          <AppShell.Header className={classes.header}>
            <Header titleRef={setTitle} menuOpen={menuOpen} onMenu={menu.toggle} />
          </AppShell.Header>
          <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
            <Suspense fallback={<CentredSpinner />}>{children}</Suspense>
          </AppShell.Main>
          <AppShell.Aside className={classes.aside} ref={setAside} aria-label="Record" />
        </AppShell>
        <Palette />
        <Shortcuts />
        <Background />
        <Notifications
          limit={1}
          autoClose={5000}
          position="bottom-right"
          zIndex={400}
          containerWidth={400}
          classNames={{ root: classes.toasts, notification: classes.toast }}
        />
      </FloatingAreaContext>
    </ShellSlotsContext>
  );
}

/**
 * The drawer closes on Escape, when the address changes, and when the window becomes wide enough
 * for the sidebar.
 */
function useClosingMenu(close: () => void): void {
  const path = useLocation({ select: ({ href }) => href });
  const phone = usePhone();
  useEffect(close, [path, phone, close]);
  useWindowEvent('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
}

/** Each feature's watcher of long work, loaded after the shell is on screen. */
function Background() {
  const features = useFeatures();
  const parts = useMemo(() => features.flatMap(deferredBackground), [features]);
  return parts.map(({ key, Part }) => <Part key={key} />);
}

const deferredBackground = ({ background }: WebFeature, key: number) =>
  background ? [{ key, Part: deferred(async () => (await background()).default) }] : [];
