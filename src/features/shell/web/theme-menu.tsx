import {
  ActionIcon,
  type MantineColorScheme,
  Menu,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const themes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/** Light, dark, or like the operating system. */
export function ThemeMenu() {
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const Shown = dark ? IconMoon : IconSun;
  return (
    <Menu width={160}>
      <Menu.Target>
        <ActionIcon aria-label="Theme">
          <Shown size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeItems />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The three choices as menu items, for the theme menu and for the user menu on a phone. */
export function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      {themes.map(({ value, label, icon: ThemeIcon }) => (
        <Menu.RadioItem key={value} value={value} rightSection={<ThemeIcon size={16} stroke={1.6} />}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
