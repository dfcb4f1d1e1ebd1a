import { deferred } from '#platform/web/components/deferred.tsx';
import type { TagsCardProps } from './tags-card.tsx';

/** All tags in a group, with what can be done with each, for the screen of lists. */
export const TagsCard = deferred<TagsCardProps>(async () => (await import('./tags-card.tsx')).TagsCard);
