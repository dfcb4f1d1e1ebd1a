import { type CSSVariablesResolver, createTheme, type MantineThemeComponent } from '@mantine/core';
import type { FocusEvent } from 'react';
import classes from './theme.module.css';
import { ramps, statusColours, statusRamps, type Tone, tokens } from './theme-colours.ts';

/**
 * Defaults of a kit component. A plain object on purpose: `Button.extend` would pull every
 * component named here into the first page load.
 */
const component = (settings: MantineThemeComponent): MantineThemeComponent => settings;

const font = "'Inter Variable', ui-sans-serif, system-ui, sans-serif";
const floatShadow = '0 8px 24px -6px rgba(16,24,32,.16), 0 2px 6px -2px rgba(16,24,32,.08)';
const fields = {
  size: 'sm',
  classNames: { label: classes.label, error: classes.error, description: classes.hint },
};
const closeButtonProps = { 'aria-label': 'Close', size: 28 };
/** The kit writes a dialog's head as `header`, which would be a second banner on the page. */
const dialogHeader = { header: { role: 'presentation' } };
const quick = { duration: 80, timingFunction: 'ease-out', transition: 'fade' } as const;
/** What somebody types to find an option replaces the words of the one that is chosen. */
const selectText = ({ currentTarget: input }: FocusEvent<HTMLInputElement>): void => {
  if (!input.readOnly) input.select();
};
const comboboxProps = { shadow: 'md', transitionProps: quick, offset: 4 };

/** The whole look in one place. See docs/web.md for the names that screens use. */
export const theme = createTheme({
  colors: ramps,
  primaryColor: 'lagoon',
  primaryShade: { light: 7, dark: 6 },
  white: '#FFFFFF',
  black: '#0B0F12',
  fontFamily: font,
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.33334', sm: '1.38462', md: '1.42858', lg: '1.5', xl: '1.4' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: font,
    fontWeight: '600',
    textWrap: 'wrap',
    sizes: {
      h1: { fontSize: '16px', lineHeight: '24px' },
      h2: { fontSize: '14px', lineHeight: '20px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '13px', lineHeight: '18px' },
      h5: { fontSize: '13px', lineHeight: '18px' },
      h6: { fontSize: '12px', lineHeight: '16px' },
    },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  shadows: { xs: 'none', sm: 'none', md: floatShadow, lg: floatShadow, xl: floatShadow },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusClassName: classes.focus,
  components: {
    Button: component({ defaultProps: { size: 'sm' }, classNames: { root: classes.button } }),
    ActionIcon: component({
      defaultProps: { variant: 'subtle', color: 'gray', size: 32 },
      classNames: { root: classes.actionIcon },
    }),
    Input: component({ defaultProps: { size: 'sm' }, classNames: { wrapper: classes.input } }),
    TextInput: component({ defaultProps: fields }),
    PasswordInput: component({ defaultProps: fields }),
    Textarea: component({ defaultProps: fields }),
    NumberInput: component({ defaultProps: fields }),
    Select: component({
      defaultProps: {
        ...fields,
        checkIconPosition: 'right',
        allowDeselect: false,
        comboboxProps,
        onFocus: selectText,
      },
    }),
    MultiSelect: component({ defaultProps: { ...fields, comboboxProps } }),
    Checkbox: component({
      defaultProps: { size: 'xs', radius: 'sm' },
      classNames: { input: classes.checkbox, label: classes.checkboxLabel, description: classes.hint },
    }),
    Radio: component({ defaultProps: { size: 'xs' }, classNames: { label: classes.checkboxLabel } }),
    Switch: component({
      defaultProps: { size: 'xs', withThumbIndicator: false },
      classNames: { label: classes.checkboxLabel },
    }),
    SegmentedControl: component({
      classNames: { root: classes.segments, indicator: classes.segment, label: classes.segmentLabel },
    }),
    Progress: component({
      defaultProps: { color: 'var(--ui-chart-1)', size: 4 },
      classNames: { root: classes.progress },
    }),
    Menu: component({
      defaultProps: {
        withInitialFocusPlaceholder: false,
        position: 'bottom-end',
        shadow: 'md',
        radius: 'lg',
        offset: 4,
        transitionProps: quick,
      },
      classNames: { dropdown: classes.menu, item: classes.menuItem, label: classes.menuLabel },
    }),
    Popover: component({
      defaultProps: { shadow: 'md', radius: 'lg', transitionProps: quick },
      classNames: { dropdown: classes.menu },
    }),
    Tooltip: component({
      defaultProps: {
        openDelay: 300,
        transitionProps: quick,
        events: { hover: true, focus: true, touch: false },
      },
      classNames: { tooltip: classes.tooltip },
    }),
    Modal: component({
      defaultProps: {
        closeButtonProps,
        attributes: dialogHeader,
        radius: 'xl',
        shadow: 'md',
        centered: true,
        overlayProps: { backgroundOpacity: 0.4, blur: 0 },
        transitionProps: { duration: 120, transition: 'fade', timingFunction: 'ease-out' },
      },
      classNames: {
        content: classes.dialog,
        header: classes.dialogHeader,
        title: classes.dialogTitle,
        body: classes.dialogBody,
      },
    }),
    Drawer: component({
      defaultProps: {
        closeButtonProps,
        attributes: dialogHeader,
        overlayProps: { backgroundOpacity: 0.4, blur: 0 },
        transitionProps: { duration: 150, timingFunction: 'ease-out' },
      },
      classNames: { content: classes.drawer },
    }),
    Badge: component({
      defaultProps: { variant: 'light', radius: 'sm' },
      classNames: { root: classes.badge },
    }),
    Table: component({ classNames: { table: classes.table } }),
    Tabs: component({ classNames: { tab: classes.tab, list: classes.tabList } }),
    Loader: component({ defaultProps: { size: 18 } }),
  },
});

const of = (scheme: 0 | 1) => {
  const values: Record<`--${string}`, string> = {};
  for (const [name, pair] of Object.entries(tokens)) values[`--ui-${name}`] = pair[scheme];
  for (const tone of Object.keys(statusColours) as Tone[]) {
    const { text, tint, hover, dot } = statusColours[tone];
    const ramp = statusRamps[tone];
    values[`--ui-${tone}-text`] = text[scheme];
    values[`--ui-${tone}-tint`] = tint[scheme];
    values[`--ui-${tone}-dot`] = dot[scheme];
    // Mantine's own pairs use shade 9 for text (shade 0 in dark), which is nearly black on the
    // tint.
    values[`--mantine-color-${ramp}-light`] = tint[scheme];
    values[`--mantine-color-${ramp}-light-hover`] = hover[scheme];
    values[`--mantine-color-${ramp}-light-color`] = text[scheme];
    values[`--mantine-color-${ramp}-text`] = text[scheme];
    values[`--mantine-color-${ramp}-outline`] = text[scheme];
  }
  return values;
};

const shared = {
  '--mantine-color-body': 'var(--ui-body)',
  '--mantine-color-text': 'var(--ui-text)',
  '--mantine-color-bright': 'var(--ui-strong)',
  '--mantine-color-dimmed': 'var(--ui-dim)',
  '--mantine-color-placeholder': 'var(--ui-placeholder)',
  '--mantine-color-anchor': 'var(--ui-link)',
  '--mantine-color-error': 'var(--ui-error-text)',
  '--mantine-color-success': 'var(--ui-success-text)',
  '--mantine-color-default': 'var(--ui-raised)',
  '--mantine-color-default-hover': 'var(--ui-hover)',
  '--mantine-color-default-color': 'var(--ui-strong)',
  '--mantine-color-default-border': 'var(--ui-control-line)',
  '--mantine-color-disabled': 'var(--ui-track)',
  '--mantine-color-disabled-color': 'var(--ui-placeholder)',
  '--mantine-color-disabled-border': 'var(--ui-line)',
} as const;

/**
 * Variables for both schemes. Each repeats the shared names because Mantine sets its own per
 * scheme.
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--ui-shadow-float': floatShadow, '--ui-page-padding': '28px' },
  light: { ...of(0), ...shared },
  dark: { ...of(1), ...shared, '--mantine-color-default-hover': '#20262B' },
});
