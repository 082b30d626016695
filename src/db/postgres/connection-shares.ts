/**
 * Shares of the connection pool by payer. A statement or transaction with a share waits for a permit before it takes a connection; permits
 * are granted round-robin by payer, so that one payer delays the others by at most the statements that are already running.
 */
import type { ConnectionSharePayer } from '../query-context-and-statement-functions.ts';

export interface ConnectionShares {
  /** Runs one statement. Work without a share, such as that of jobs, does not wait. */
  runStatement<T>(share: ConnectionSharePayer | undefined, work: () => Promise<T>): Promise<T>;
  runTransaction<T>(share: ConnectionSharePayer | undefined, work: () => Promise<T>): Promise<T>;
}

export function createConnectionShares(poolSize: number): ConnectionShares {
  // A few connections are reserved for transactions: statements of all payers together never take them.
  const reserved = poolSize < 4 ? 0 : Math.max(1, Math.floor(poolSize / 5));
  const statementPermits = poolSize - reserved;
  // Statements may run long, so a payer has a third of the pool. Transactions are short, so a payer may use most of it while no other waits.
  const statements = createPermits({
    total: statementPermits,
    perPayer: Math.max(1, Math.ceil(poolSize / 3)),
    perNetwork: Math.max(1, statementPermits - 1),
  });
  // Separate permits: a transaction may run statements outside of it, and must not wait for its own permit.
  const transactions = createPermits({
    total: poolSize,
    perPayer: Math.max(1, poolSize - reserved),
    perNetwork: poolSize,
  });
  return { runStatement: statements, runTransaction: transactions };
}

interface PermitLimits {
  total: number;
  perPayer: number;
  /** All guests of one network together. */
  perNetwork: number;
}

interface Waiter {
  share: ConnectionSharePayer;
  start(): void;
}

function createPermits({ total, perPayer, perNetwork }: PermitLimits) {
  let running = 0;
  const runningByKey = new Map<string, number>();
  /** In the order in which payers get their next permit. */
  const queues = new Map<string, Waiter[]>();

  const count = (key: string, change: number) => {
    const value = (runningByKey.get(key) ?? 0) + change;
    if (value > 0) runningByKey.set(key, value);
    else runningByKey.delete(key);
  };
  const networkKey = (network: string) => `network ${network}`;
  const isAllowed = ({ payer, network }: ConnectionSharePayer) =>
    running < total &&
    (runningByKey.get(payer) ?? 0) < perPayer &&
    (network === undefined || (runningByKey.get(networkKey(network)) ?? 0) < perNetwork);
  const change = ({ payer, network }: ConnectionSharePayer, by: 1 | -1) => {
    running += by;
    count(payer, by);
    if (network !== undefined) count(networkKey(network), by);
  };

  function startNext(): void {
    for (const [payer, queue] of queues) {
      const [first] = queue;
      if (!first || !isAllowed(first.share)) continue;
      queue.shift();
      queues.delete(payer);
      if (queue.length > 0) queues.set(payer, queue);
      change(first.share, 1);
      first.start();
      return;
    }
  }

  function enter(share: ConnectionSharePayer): Promise<void> | undefined {
    if (!queues.has(share.payer) && isAllowed(share)) {
      change(share, 1);
      return undefined;
    }
    return new Promise((start) => {
      const queue = queues.get(share.payer);
      if (queue) queue.push({ share, start });
      else queues.set(share.payer, [{ share, start }]);
    });
  }

  return async <T>(share: ConnectionSharePayer | undefined, work: () => Promise<T>): Promise<T> => {
    if (!share) return work();
    await enter(share);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      share.onDatabaseTime(performance.now() - startedAt);
      change(share, -1);
      startNext();
    }
  };
}
