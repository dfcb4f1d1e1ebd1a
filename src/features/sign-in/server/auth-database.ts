import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import { withContext } from '#platform/server/call-context.ts';

// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
type Tables = any;

interface Running {
  transaction: Transaction<Tables>;
  afterCommit: (() => Promise<void>)[];
}

const running = new AsyncLocalStorage<Running>();

/**
 * The handle that the sign-in library works on. The library opens a transaction for a sign-up but
 * does not pass it to its hooks. This handle keeps it, so that the user, the password, the
 * workspace and the session are made together or not at all.
 */
export class AuthDatabase extends Kysely<Tables> {
  constructor(pool: PostgresPool) {
    super({ dialect: new PostgresDialect({ pool }) });
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      const afterCommit: Running['afterCommit'] = [];
      const result = await execute((transaction) =>
        running.run({ transaction, afterCommit }, () =>
          withContext({ holdsConnection: true }, () => work(transaction)),
        ),
      );
      for (const task of afterCommit) await task();
      return result;
    };
    return builder;
  }

  /**
   * Runs `work` in this call's current transaction, or in a new one. Functions that `work` adds to
   * `afterCommit` run once the transaction is committed, and never if it is rolled back.
   */
  async together<T>(
    work: (transaction: Transaction<Tables>, afterCommit: Running['afterCommit']) => Promise<T>,
  ): Promise<T> {
    const open = running.getStore();
    if (open) return work(open.transaction, open.afterCommit);
    return this.transaction().execute((transaction) =>
      work(transaction, running.getStore()?.afterCommit ?? []),
    );
  }
}
