/** Internals of pg's connections: the keys that cancel a statement, and the socket. */
import type pg from 'pg';

/** Backend key data that the server sent when the connection was opened. */
export function getPgBackendKeys(client: pg.ClientBase): { processId: number; cancelKey: number } {
  const { processID, secretKey } = client as pg.ClientBase & { processID: number; secretKey: number };
  return { processId: processID, cancelKey: secretKey };
}

/** Destroys the socket, so that all statements waiting on the connection fail with `error` at once. */
export const destroyPgSocket = (client: pg.ClientBase, error: Error): void =>
  (
    client as pg.ClientBase & { connection: { stream: { destroy(error: Error): void } } }
  ).connection.stream.destroy(error);
