import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { listTemplatePresets } from '../contract.ts';

/** The presets as the brand looks. */
const presetsOptions = { ...queryOptionsFor(listTemplatePresets, {}), staleTime: 60_000 };

export const usePresets = () => useQuery({ ...presetsOptions, select: ({ items }) => items });

/** One preset by its id. Undefined while presets load and for an unknown id. */
export const usePreset = (id: string | undefined) =>
  useQuery({
    ...presetsOptions,
    enabled: id !== undefined,
    select: ({ items }) => items.find((one) => one.id === id),
  }).data;
