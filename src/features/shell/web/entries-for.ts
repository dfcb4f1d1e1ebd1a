import { mayAs, type Role } from '#platform/shared/contract.ts';
import type { NavEntry, PaletteCommand, WebFeature } from '#platform/web/feature.ts';

/**
 * The screens and commands that somebody may use. What others may not use is not even named to
 * them.
 */
export function entriesFor(
  features: readonly Pick<WebFeature, 'nav' | 'commands'>[],
  { isAdmin, role }: { isAdmin: boolean; role: Role },
): { screens: NavEntry[]; commands: PaletteCommand[] } {
  return {
    screens: features.flatMap(({ nav }) => nav ?? []).filter(({ adminOnly }) => isAdmin || !adminOnly),
    commands: features
      .flatMap(({ commands }) => commands ?? [])
      .filter(({ takes }) => takes === undefined || mayAs(role, takes)),
  };
}
