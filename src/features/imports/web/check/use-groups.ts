import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { words } from '#platform/web/api.ts';
import type { ImportOptions } from '../../contract.ts';
import { type ChosenGroups, importQuery, type OneImport, saveGroups, showImport } from '../api.ts';

interface Failure {
  of: keyof ChosenGroups;
  reason: string;
}

export interface GroupsChoice {
  failure: Failure | null;
  choose: <Of extends Failure['of']>(of: Of, chosen: ChosenGroups[Of]) => void;
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
 * is taken back. The other field may change while a list or a tag is being made, so each choice
 * goes with what stands then.
 */
export function useGroups({ id }: OneImport): GroupsChoice {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const last = useRef<Promise<boolean>>(Promise.resolve(true));
  const saving = useRef(0);
  const { queryKey } = importQuery(id);
  const chosenNow = (): ChosenGroups => queryClient.getQueryData(queryKey)?.options ?? {};
  const show = (of: Failure['of'], chosen: ChosenGroups[Failure['of']]) => {
    showImport(queryClient, id, (before) => {
      if (!before) return before;
      const { [of]: _, ...rest } = before.options;
      return {
        ...before,
        options: (chosen === undefined ? rest : { ...rest, [of]: chosen }) as ImportOptions,
      };
    });
  };
  const choose: GroupsChoice['choose'] = (of, chosen) => {
    const before = chosenNow()[of];
    setFailure(null);
    show(of, chosen);
    saving.current += 1;
    last.current = last.current
      .then(() => saveGroups(id, chosenNow()))
      .then(() => true)
      .catch((error: unknown) => {
        show(of, before);
        setFailure({ of, reason: words(error, 'The choice could not be saved. Please try again.') });
        return false;
      })
      .finally(() => {
        saving.current -= 1;
      });
  };
  // Its choice begins before this ends, so whoever waits for one waits for the other too.
  const making = useRef(new Set<Promise<boolean>>());
  const settled = async (): Promise<boolean> => {
    const isMade = (await Promise.all(making.current)).every(Boolean);
    return (saving.current === 0 || (await last.current)) && isMade;
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
