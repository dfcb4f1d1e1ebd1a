import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PaletteFind } from '#platform/web/feature.ts';
import { useFeatures } from '#platform/web/router.tsx';

/** Fewer characters match too much to be worth a call. */
const fewestCharacters = 3;
const pauseMs = 200;
const none: PaletteFind[] = [];

/** What the features find for the text in the palette, once typing has paused. */
export function usePaletteFinds(typed: string): { finds: PaletteFind[]; isFinding: boolean } {
  const features = useFeatures();
  const [settled] = useDebouncedValue(typed, pauseMs);
  const isEnough = typed.length >= fewestCharacters;
  const enabled = isEnough && settled.length >= fewestCharacters;
  const query = useQuery({
    queryKey: ['palette', settled],
    queryFn: async ({ signal }) => {
      const finders = await Promise.all(features.flatMap(({ finder }) => (finder ? [finder()] : [])));
      const found = await Promise.allSettled(finders.map(({ default: find }) => find(settled, signal)));
      // A failed one does not affect the others, and the palette is no place for its error.
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    },
    enabled,
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  return {
    finds: isEnough ? (query.data ?? none) : none,
    isFinding: isEnough && (settled !== typed || query.isFetching),
  };
}
