import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconSwitchHorizontal,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { enterWorkspace, signOut } from '#features/sign-in/web/index.ts';
import { listWorkspaces, switchWorkspace } from '#features/team/contract.ts';
import { isNameTwice } from '#features/team/rules.ts';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import type { PaletteCommand, PaletteFind } from '#platform/web/feature.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { showShortcuts } from './shortcuts-store.ts';

/** Anything that can be chosen in the palette. */
export type PaletteEntry = Partial<Pick<PaletteFind, 'key' | 'to' | 'search' | 'run'>> &
  Pick<PaletteCommand, 'label' | 'description' | 'icon' | 'keywords'> & { goKey?: string };

const themes: { label: string; scheme: MantineColorScheme; icon: PaletteCommand['icon'] }[] = [
  { label: 'Light theme', scheme: 'light', icon: IconSun },
  { label: 'Dark theme', scheme: 'dark', icon: IconMoon },
  { label: 'System theme', scheme: 'auto', icon: IconDeviceDesktop },
];

/** Runs the work, and says so when it fails. */
const attempt = (work: () => Promise<unknown>, fallback: string) => async () => {
  try {
    await work();
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, fallback) });
  }
};

/**
 * What the frame itself offers: the theme, the shortcuts, the person's other workspaces, signing
 * out.
 */
export function useShellEntries(opened: boolean): PaletteEntry[] {
  const { setColorScheme } = useMantineColorScheme();
  const workspaces = useQuery({ ...queryOptionsFor(listWorkspaces), enabled: opened }).data ?? [];
  return [
    ...workspaces
      .filter(({ current }) => !current)
      .map(({ id, name, owner }) => ({
        key: `workspace-${id}`,
        label: `Switch to ${name}`,
        ...(isNameTwice(workspaces, name) && owner !== null ? { description: owner } : {}),
        icon: IconSwitchHorizontal,
        keywords: 'workspace account change',
        run: attempt(
          () => enterWorkspace(() => call(switchWorkspace, { body: { id } })),
          'The workspace could not be opened.',
        ),
      })),
    ...themes.map(({ label, scheme, icon }) => ({
      label,
      icon,
      keywords: 'appearance colours mode switch',
      run: async () => setColorScheme(scheme),
    })),
    {
      label: 'Keyboard shortcuts',
      icon: IconKeyboard,
      keywords: 'keys help hotkeys',
      run: async () => showShortcuts(),
    },
    {
      label: 'Sign out',
      icon: IconLogout,
      keywords: 'log out logout leave exit',
      run: attempt(signOut, 'You could not be signed out. Please try again.'),
    },
  ];
}
