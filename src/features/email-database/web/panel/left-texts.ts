import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LeftText } from '#platform/web/components/editable-text.tsx';

/** By the field's name, as `fieldsThatDiffer` writes it: `notes`, `attributes.phone`. */
type LeftTexts = Readonly<Record<string, LeftText>>;

/** Beside what is read, so that it goes when somebody signs out. */
const keyOf = (id: number) => ['texts left of a contact', id];
const none: LeftTexts = {};

/** What was typed into a contact's fields and could not be saved when they were left. */
export const useLeftTexts = (id: number): LeftTexts =>
  useQuery<LeftTexts>({ queryKey: keyOf(id), queryFn: skipToken }).data ?? none;

/** Keeps such a text until it is saved or given up. Null: it is. */
export function useKeepText(id: number): (field: string, left: LeftText | null) => void {
  const queryClient = useQueryClient();
  return (field, left) => {
    // Also while nobody looks at the contact.
    queryClient.setQueryDefaults(keyOf(id), { gcTime: Number.POSITIVE_INFINITY });
    queryClient.setQueryData<LeftTexts>(keyOf(id), ({ [field]: _before, ...others } = none) =>
      left ? { ...others, [field]: left } : others,
    );
  };
}
