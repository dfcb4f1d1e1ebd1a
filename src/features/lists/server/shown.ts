import { AppError } from '#platform/shared/errors.ts';
import type { Shown } from './queries.ts';

/** What a call says of what readers see. */
export interface WantedShown {
  isPublic?: boolean | undefined;
  publicName?: string | null | undefined;
  publicDescription?: string | null | undefined;
}

/**
 * What readers see of a list from now on. What is left out stays. Throws `invalid_input` for a
 * dynamic list that would be public.
 */
export function shownOf(before: Shown, wanted: WantedShown, isDynamic: boolean): Shown {
  const isPublic = wanted.isPublic ?? before.isPublic;
  if (isPublic && isDynamic) throw dynamicIsPublic();
  const { publicName = before.publicName, publicDescription = before.publicDescription } = wanted;
  return { isPublic, publicName: publicName || null, publicDescription: publicDescription || null };
}

/** What holds for a list that nobody has said anything about. */
export const notShown: Shown = { isPublic: false, publicName: null, publicDescription: null };

function dynamicIsPublic(): AppError {
  const message = 'A dynamic list fills itself by its rules. Readers cannot join or leave it.';
  return new AppError('invalid_input', message, { fields: { isPublic: message } });
}
