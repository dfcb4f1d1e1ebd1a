import { IconShieldCheck } from '@tabler/icons-react';
import { call, words } from '#platform/web/api.ts';
import type { PaletteFinder } from '#platform/web/feature.ts';
import { capitalise } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { verifyAddress } from '../contract.ts';

/** Text that may be a whole address. */
const address = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

async function verify(email: string): Promise<void> {
  try {
    const { verdict, risk, suggestion } = await call(verifyAddress, { body: { email } });
    const meant = suggestion === null ? '' : ` Perhaps ${suggestion} is meant.`;
    toastDone({ title: capitalise(verdict), message: `${email}: risk ${risk} of 100.${meant}` });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'The address could not be verified.') });
  }
}

/** Offers the verdict on a fully typed address. Stores nothing. */
const offerVerdict: PaletteFinder = async (typed) =>
  address.test(typed)
    ? [
        {
          key: 'verify-address',
          label: `Verify ${typed}`,
          description: 'The verdict, nothing is stored',
          icon: IconShieldCheck,
          run: () => verify(typed),
        },
      ]
    : [];

export default offerVerdict;
