import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Role } from '#platform/shared/contract.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';
import type { AnyEventTellers } from './event-words.ts';
import type { Icon } from './icon.ts';
import type { UrlSchema } from './url-state.ts';

export type { Icon } from './icon.ts';

/** A screen. It is fetched on the first visit, or when somebody points at a link to it. */
export interface PageRoute {
  /** One path or several, such as `['/', '/dashboard']`. `$id` is a parameter. */
  path: string | readonly string[];
  /**
   * - `signed-in`: inside the shell. A signed-out visitor signs in first and then comes back.
   * - `public`: for everybody. If a signed-in screen has the same path, only signed-out visitors
   *   see this one.
   * - `signed-out`: like `public`, but a signed-in visitor is sent to `next` or the dashboard.
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
  /** The path it leads to. Every path below it also counts as the current page. */
  to: string;
  /** Further paths of the same page, such as `/`. */
  also?: readonly string[];
  icon: Icon;
  section: (typeof navSections)[number];
  /** Only for the administrator of the installation. */
  adminOnly?: boolean;
  /** Rank within the section, lowest first. */
  order: number;
  /** The key that, pressed after `g`, leads here from anywhere. */
  goKey?: string;
  /** Other words for the palette: what people coming from another product call it. */
  keywords?: string;
  /** What `count` counts, for people who point at it or cannot see where it stands: one, many. */
  counted?: readonly [one: string, many: string];
  /** A figure at the right, such as `1.41M`. Shows nothing while it loads or when it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each entry reads a different call; only the selected text matters.
  count?: () => UseQueryOptions<any, any, string | null, any>;
}

/**
 * Something to do from the palette, or a place without an entry in the sidebar. It leads to an
 * address, because an open dialog is part of the address.
 */
export interface PaletteCommand {
  label: string;
  description?: string;
  icon: Icon;
  to: string;
  search?: Record<string, unknown>;
  keywords?: string;
  /** Nothing is done there: it is listed with the screens. */
  isPlace?: true;
  /** The role it takes. People without it are not offered it. */
  takes?: Role;
}

/**
 * A match that a feature found for text typed into the palette. It leads to an address or does
 * something.
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

/** Looks for the typed text, which has at least three characters. */
export type PaletteFinder = (typed: string, signal: AbortSignal) => Promise<PaletteFind[]>;

/**
 * A part of a screen that belongs to another feature, such as a card in the settings. The screen's
 * own feature knows nothing about it.
 */
export interface PageSection {
  /** The path of the screen, e.g. `/settings`. */
  page: string;
  /** Its anchor on the screen. */
  id: string;
  /** Its name in a list of the screen's sections. */
  title: string;
  /** The module whose default export is the section. */
  load: () => Promise<{ default: ComponentType }>;
}

/**
 * What a feature offers the web application. Its `web/index.ts` exports one, and `apps/web.tsx`
 * collects them.
 */
export interface WebFeature {
  /** Its scopes and its lines in the audit log, the same as on the server. */
  words?: FeatureWords;
  /** The words for its events on a contact's timeline. Fetched when one is first shown. */
  eventWords?: () => Promise<{ default: AnyEventTellers }>;
  pages: readonly PageRoute[];
  sections?: readonly PageSection[];
  nav?: readonly NavEntry[];
  commands?: readonly PaletteCommand[];
  /** A search that the palette passes typed text to, such as `/email-database?search=…`. */
  textSearch?: { label: string; to: string; field: string; icon: Icon };
  /** Looks up the text typed into the palette. Fetched on first use. */
  finder?: () => Promise<{ default: PaletteFinder }>;
  /**
   * Calls whose answers change with something that other features change too, under its name: `{
   * contacts: [getTimeline] }`. `readAgain` reads them again.
   */
  changesWith?: Readonly<Record<string, readonly { path: string }[]>>;
  /**
   * Mounted once beside the shell and fetched after it. Watches long work and publishes tasks to
   * the tray.
   */
  background?: () => Promise<{ default: ComponentType }>;
}
