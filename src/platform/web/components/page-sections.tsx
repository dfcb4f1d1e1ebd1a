import type { ComponentType } from 'react';
import type { PageSection } from '../feature.ts';
import { useFeatures } from '../router.tsx';
import { deferred } from './deferred.tsx';

/** What features add to the screen at this path, in order of registration. */
export const usePageSections = (page: string): PageSection[] =>
  useFeatures().flatMap(({ sections }) => sections?.filter((section) => section.page === page) ?? []);

/** Cached, so that a reopened screen shows its sections at once. */
const fetched = new WeakMap<PageSection, ComponentType>();

function partOf(section: PageSection): ComponentType {
  const part = fetched.get(section) ?? deferred(async () => (await section.load()).default);
  fetched.set(section, part);
  return part;
}

/** Renders what features add to the screen at this path. Fetches each once the screen is there. */
export function PageSections({ page }: { page: string }) {
  return usePageSections(page).map((section) => {
    const Part = partOf(section);
    return (
      <div key={section.id} id={section.id}>
        <Part />
      </div>
    );
  });
}
