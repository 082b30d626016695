/** Snapshots of both servers in which the business has the same rows, in read-only transactions on connections of their own. */
import { openMaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import type { BusinessTable } from './business-tables.ts';
import { type CopyComparison, compareSnapshots } from './compare-snapshots.ts';
import type { Move, MoveServer } from './open-move.ts';

export interface Snapshots {
  /** Call it while writes are paused. The snapshot is taken by the first statement. */
  begin(): Promise<void>;
  /** Compares all rows, also after the pause. */
  compare(tables: readonly BusinessTable[]): Promise<CopyComparison>;
  close(): Promise<void>;
}

/** Opens the connections before the pause, because that takes time. */
export async function openSnapshots(move: Move): Promise<Snapshots> {
  const open = async (server: MoveServer): Promise<MoveServer> => ({
    ...server,
    connection: await openMaintenanceConnection(server.url),
  });
  const [source, target] = await Promise.all([open(move.source), open(move.target)]);
  const servers = [source, target];
  const end = ({ connection }: MoveServer) => connection.query('ROLLBACK');
  return {
    async begin() {
      await Promise.all(
        servers.map(async ({ connection }) => {
          await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
          await connection.query('SELECT FROM businesses LIMIT 1');
        }),
      );
    },
    async compare(tables) {
      const comparison = await compareSnapshots({ ...move, source, target }, tables);
      await Promise.all(servers.map(end));
      return comparison;
    },
    async close() {
      await Promise.all(servers.map(({ connection }) => connection.close()));
    },
  };
}
