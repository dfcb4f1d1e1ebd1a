import { queryOptions, useQuery } from '@tanstack/react-query';

/** The presets, fetched when a screen shows them. They change only with the product. */
const presetsOptions = queryOptions({
  queryKey: ['template presets'],
  queryFn: async () => (await import('../rules/presets/index.ts')).presets,
  staleTime: Number.POSITIVE_INFINITY,
});

export const usePresets = () => useQuery(presetsOptions);

/** One preset by its id. Undefined while presets load and for an unknown id. */
export const usePreset = (id: string | undefined) =>
  useQuery({
    ...presetsOptions,
    enabled: id !== undefined,
    select: (presets) => presets.find((one) => one.id === id),
  }).data;
