import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const themes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

/** Light, dark or as the operating system says. */
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
  return themes.map(({ value, label, icon: ThemeIcon }) => (
    <Menu.Item
      key={value}
      role="menuitemradio"
      aria-checked={colorScheme === value}
      leftSection={<ThemeIcon size={16} stroke={1.6} />}
      rightSection={colorScheme === value ? <IconCheck size={16} stroke={1.6} /> : null}
      onClick={() => setColorScheme(value)}
    >
      {label}
    </Menu.Item>
  ));
}
