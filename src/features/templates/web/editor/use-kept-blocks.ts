import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { forgetBlock, getBlock, keepBlock, listBlocks } from '../../contract.ts';
import type { Block } from '../../rules/document/places.ts';
import { tellFailed } from '../template-actions.ts';

/** The blocks that the workspace keeps for its documents. */
export function useKeptBlocks() {
  const queryClient = useQueryClient();
  const { data } = useQuery(queryOptionsFor(listBlocks));
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryOptionsFor(listBlocks).queryKey });
  return {
    blocks: data?.items ?? [],
    read: async (id: number): Promise<Block | null> => {
      try {
        return (await call(getBlock, { params: { id } })).block;
      } catch (error) {
        tellFailed(error, 'The saved block could not be read.');
        return null;
      }
    },
    /** Rejects with the server's words. */
    keep: async (name: string, block: Block) => {
      await call(keepBlock, { body: { name, block } });
      toastDone({ title: 'Block Saved', message: `“${name}” is there for every template.` });
      await refresh();
    },
    forget: async (id: number) => {
      try {
        await call(forgetBlock, { params: { id } });
      } catch (error) {
        tellFailed(error, 'The saved block could not be deleted.');
      }
      await refresh();
    },
  };
}
