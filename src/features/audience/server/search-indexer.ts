import { inBackground } from '#platform/server/call-context.ts';
import { port } from '#platform/server/ports.ts';

/** Has new contacts indexed for search now, instead of in the next minute's round. */
export const searchIndexPort = port<{ soon(): void }>('contacts.search-index');

/** Runs the work when asked, and once more if asked meanwhile, but never twice at once. */
export function oneAtATime(work: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let again = false;
  const soon = (): void => {
    again = true;
    running ??= inBackground(async () => {
      while (again) {
        again = false;
        await work().catch(onFailure);
      }
      running = null;
    });
  };
  return { soon, idle: async () => void (await running) };
}
