import type { SmtpPool } from '../smtp/pool.ts';
import type { Transport } from './transport.ts';

/** Over connections to a mail server. A slot is a connection that is open and ready. */
export const smtpTransport = (pool: SmtpPool): Transport => ({
  async slot() {
    const { connection, giveBack } = await pool.lend();
    return {
      deliver: async (message, isFresh) =>
        isFresh()
          ? connection.send({
              from: message.returnPath,
              to: message.recipient,
              raw: message.raw,
              needsSmtpUtf8: message.needsSmtpUtf8,
            })
          : 'stalled',
      free: giveBack,
    };
  },
});
