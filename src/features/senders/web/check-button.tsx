import { useQueryClient } from '@tanstack/react-query';
import { call, queryKeyOf, words } from '#platform/web/api.ts';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { showNewer } from '#platform/web/query-client.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { checkSenderDomain, getSenderDomain, listSenderDomains } from '../contract.ts';

/** Reads DNS again, now. */
export function CheckButton({ id }: { id: number }) {
  const queryClient = useQueryClient();
  const check = async () => {
    try {
      const data = await call(checkSenderDomain, { params: { id } });
      showNewer(queryClient, queryKeyOf(getSenderDomain, { params: { id } }), data);
      await queryClient.invalidateQueries({ queryKey: [listSenderDomains.path] });
    } catch (error) {
      toastFailed({ title: 'DNS could not be read', message: words(error) });
    }
  };
  return (
    <MayEditButton
      takes="admin"
      why="Checking takes the admin role. It happens by itself too."
      onClick={check}
    >
      Check now
    </MayEditButton>
  );
}
