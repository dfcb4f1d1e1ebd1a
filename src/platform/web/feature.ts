import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { FeatureWords } from '#platform/shared/feature-words.ts';
import type { AnyEventTellers } from './event-words.ts';
import type { Icon } from './icon.ts';
import type { UrlSchema } from './url-state.ts';

export type { Icon } from './icon.ts';

/** A screen. It is fetched when first visited, or when a link to it is pointed at. */
export interface PageRoute {
  /** One path or several, e.g. `['/', '/dashboard']`; `$id` is a parameter. */
  path: string | readonly string[];
  /**
   * - `signed-in`: inside the shell; a signed-out visitor signs in first and is brought back.
   * - `public`: for everybody. On a path that a signed-in screen also has, what a signed-out
   *   visitor sees.
   * - `signed-out`: as public, but a signed-in visitor is sent on to `next` or the dashboard.
   */
  access: 'signed-in' | 'public' | 'signed-out';
  /** The screen's query string. */
  search?: UrlSchema;
  /**
   * The names in a query string that the screen cannot read and must not drop without a word. They
   * stay in the address until the screen changes it.
   */
  unread?: (raw: Record<string, unknown>) => string[];
  /** The module whose default export is the screen. */
  load: () => Promise<{ default: ComponentType }>;
}

/** The groups of the sidebar, in this order. `End` has no heading. */
export const navSections = ['Overview', 'Audience', 'Marketing', 'Connect', 'End'] as const;

export interface NavEntry {
  label: string;
  /** The path it leads to; every path below it counts as the current page too. */
  to: string;
  /** Further paths that are the same page, such as `/`. */
  also?: readonly string[];
  icon: Icon;
  section: (typeof navSections)[number];
  /** Shown to the administrator of the installation only. */
  adminOnly?: boolean;
  /** Rank within the section, lowest first. */
  order: number;
  /** Pressed after `g`, it leads here from anywhere. */
  goKey?: string;
  /** Other words for it, for the palette: what people call it who come from another product. */
  keywords?: string;
  /** A figure at the right, e.g. `1.41M`. Nothing is shown while it loads or when it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each entry reads a different call; only the selected text matters.
  count?: () => UseQueryOptions<any, any, string | null, any>;
}

/**
 * Something to do from the palette. It leads to an address, because an open dialog is part of the
 * address.
 */
export interface PaletteCommand {
  label: string;
  description?: string;
  icon: Icon;
  to: string;
  search?: Record<string, unknown>;
  keywords?: string;
}

/**
 * Something that a feature found for what was typed into the palette: it leads to an address, or
 * does something.
 */
export interface PaletteFind {
  key: string;
  label: string;
  description?: string;
  icon: Icon;
  to?: string;
  search?: Record<string, unknown>;
  run?: () => Promise<void>;
}

/** Looks for what was typed, at least three characters of it. */
export type PaletteFinder = (typed: string, signal: AbortSignal) => Promise<PaletteFind[]>;

/**
 * A part of a screen that belongs to another feature: a card among the settings. That feature knows
 * nothing of it.
 */
export interface PageSection {
  /** The path of the screen, e.g. `/settings`. */
  page: string;
  /** Its anchor on the screen. */
  id: string;
  /** What a list of the screen's sections calls it. */
  title: string;
  /** The module whose default export is the section. */
  load: () => Promise<{ default: ComponentType }>;
}

/**
 * What a feature offers the web application; its `web/index.ts` exports one, `apps/web.tsx`
 * collects them.
 */
export interface WebFeature {
  /** Its scopes and its lines in the audit log: the same as its server declares. */
  words?: FeatureWords;
  /** How its events read on a contact's timeline; fetched when one is first shown. */
  eventWords?: () => Promise<{ default: AnyEventTellers }>;
  pages: readonly PageRoute[];
  sections?: readonly PageSection[];
  nav?: readonly NavEntry[];
  commands?: readonly PaletteCommand[];
  /** A search that the palette hands typed text to, e.g. `/email-database?search=…`. */
  textSearch?: { label: string; to: string; field: string; icon: Icon };
  /** Looks up what is typed into the palette; fetched when that is first done. */
  finder?: () => Promise<{ default: PaletteFinder }>;
  /**
   * Calls whose answers change with something that other features change too, under its name: `{
   * contacts: [getTimeline] }`. `readAgain` reads them again.
   */
  changesWith?: Readonly<Record<string, readonly { path: string }[]>>;
  /**
   * Mounted once beside the shell and fetched after it: watches long work and publishes tasks to
   * the tray.
   */
  background?: () => Promise<{ default: ComponentType }>;
}
