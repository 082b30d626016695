/** Single connection for maintenance of a server: no audit context, no statement timeout, and statements outside transactions. */
import { createPrimaryLocator } from '../replication/primary-locator.ts';

export interface MaintenanceConnection {
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Texts of values do not depend on the settings of the server and its roles: rows of two servers are compared by them. */
const setupSql = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET search_path = public;
  SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'`;

export async function openMaintenanceConnection(url: string): Promise<MaintenanceConnection> {
  const primary = createPrimaryLocator(url);
  try {
    await primary.find();
    const client = new primary.Client({
      connectionString: primary.url,
      application_name: 'duet move',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', () => {});
    await client.connect();
    await client.query(setupSql);
    return {
      query: async <Row>(text: string, params?: readonly unknown[]) =>
        (await client.query(text, params && [...params])).rows as Row[],
      async close() {
        primary.close();
        await client.end().catch(() => {});
      },
    };
  } catch (error) {
    primary.close();
    throw error;
  }
}
