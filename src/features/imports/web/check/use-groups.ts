import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { words } from '#platform/web/api.ts';
import type { ImportOptions } from '../../contract.ts';
import { type ChosenGroups, importQuery, type OneImport, saveGroups, showImport } from '../api.ts';
import { type GroupField, GroupSaves } from './group-saves.ts';

interface Failure {
  of: GroupField;
  reason: string;
}

export interface GroupsChoice {
  failure: Failure | null;
  choose: <Of extends GroupField>(of: Of, chosen: ChosenGroups[Of]) => void;
  /** A list or a tag is being made, to be chosen afterwards. False: it was refused. */
  making: (made: Promise<boolean>) => void;
  /**
   * Resolves once no choice is being saved any more: to false if one was refused that nobody has
   * seen refused before.
   */
  settled: () => Promise<boolean>;
}

/**
 * Saves each choice at once, one after the other, and shows it meanwhile. A choice that is refused
 * is taken back.
 */
export function useGroups({ id }: OneImport): GroupsChoice {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saves] = useState(
    () =>
      new GroupSaves({
        shown: () => queryClient.getQueryData(importQuery(id).queryKey)?.options ?? {},
        show: (of, chosen) => showChosen(queryClient, id, of, chosen),
        save: (groups) => saveGroups(id, groups),
        onRefused: (of, error) =>
          setFailure({ of, reason: words(error, 'The choice could not be saved. Please try again.') }),
      }),
  );
  const choose: GroupsChoice['choose'] = (of, chosen) => {
    // Whoever waits for what is being saved is told why that stopped them.
    const { isSaving } = saves;
    setFailure((before) => (isSaving && before?.of !== of ? before : null));
    saves.choose(of, chosen);
  };
  // Its choice begins before this ends, so whoever waits for one waits for the other too.
  const making = useRef(new Set<Promise<boolean>>());
  const settled = async (): Promise<boolean> => {
    const isMade = (await Promise.all(making.current)).every(Boolean);
    return (await saves.settled()) && isMade;
  };
  return {
    failure,
    choose,
    making: (made) => {
      making.current.add(made);
      void made.finally(() => making.current.delete(made));
    },
    settled,
  };
}

function showChosen(
  queryClient: QueryClient,
  id: number,
  of: GroupField,
  chosen: ChosenGroups[GroupField],
): void {
  showImport(queryClient, id, (before) => {
    if (!before) return before;
    const { [of]: _, ...rest } = before.options;
    return {
      ...before,
      options: (chosen === undefined ? rest : { ...rest, [of]: chosen }) as ImportOptions,
    };
  });
}
