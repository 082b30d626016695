/** The connections of a move: the directory on the home server, the server that has the business, and the server that shall get it. */
import {
  type MaintenanceConnection,
  openMaintenanceConnection,
} from '../../db/postgres/maintenance-connection.ts';
import { OperatorError } from '../../lib/operator-errors.ts';

export interface ServerAddress {
  readonly name: string;
  readonly url: string;
}

export interface MoveServer extends ServerAddress {
  readonly connection: MaintenanceConnection;
}

export interface Move {
  readonly businessId: string;
  /** Name of the publication, the subscription and the replication slot. */
  readonly name: string;
  readonly home: MaintenanceConnection;
  readonly source: MoveServer;
  readonly target: MoveServer;
}

export interface MoveAddresses {
  readonly businessId: string;
  readonly homeUrl: string;
  readonly source: ServerAddress;
  readonly target: ServerAddress;
}

/** Prefix of the names of publications, subscriptions and replication slots. */
export const moveNamePrefix = 'duet_move_';

// Arbitrary numbers; no other advisory lock of the application uses them.
const homeLock = 4_478_337;
const serverLock = 4_478_338;

/** Waits of statements that block no others. */
export const defaultLockTimeoutSql = "SET lock_timeout = '30s'";

/** One move at a time. A statement of a killed process may still run on a server: the lock of its session is awaited. */
export async function withMove<T>(addresses: MoveAddresses, run: (move: Move) => Promise<T>): Promise<T> {
  const { businessId, homeUrl, source, target } = addresses;
  const connections: MaintenanceConnection[] = [];
  async function open(url: string, lock: number): Promise<MaintenanceConnection> {
    const connection = await openMaintenanceConnection(url);
    connections.push(connection);
    await connection.query(defaultLockTimeoutSql);
    await connection.query('SELECT pg_advisory_lock($1)', [lock]).catch((error: unknown) => {
      throw new OperatorError('Another process moves a business. Wait until it is done.', { cause: error });
    });
    return connection;
  }
  try {
    return await run({
      businessId,
      name: `${moveNamePrefix}${businessId.replaceAll('-', '')}`,
      home: await open(homeUrl, homeLock),
      source: { ...source, connection: await open(source.url, serverLock) },
      target: { ...target, connection: await open(target.url, serverLock) },
    });
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}
