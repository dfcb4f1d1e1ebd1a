import { useQueryClient } from '@tanstack/react-query';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { listAllMail, listOutbox, type Mail, sendAnyMailAgain, sendMailAgain } from '../contract.ts';

/** Sends a mail again and says so. `everything`: for the whole installation. Never rejects. */
export function useSendAgain(everything: boolean): (mail: Mail) => Promise<void> {
  const queryClient = useQueryClient();
  return async ({ id, to }) => {
    try {
      await call(everything ? sendAnyMailAgain : sendMailAgain, { params: { id } });
      toastDone({ title: 'Mail Sent Again', message: `The mail to ${to} is on its way to the mail server.` });
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to send the mail. Please try again.') });
    }
    const { path } = everything ? listAllMail : listOutbox;
    await queryClient.invalidateQueries({ queryKey: [path] });
  };
}
