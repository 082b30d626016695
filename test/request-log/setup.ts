/** Set-up of the request log tests: reads the log of a business after everything queued is written. */
import type { Person, Shop, TestApp } from '../support/app.ts';

export interface LoggedLine {
  id: string;
  requestId: string;
  protocol: string;
  operation: string;
  path: string;
  status: number;
  code?: string;
  message?: string;
  details?: { field: string; error: string }[];
  advice?: string;
  caller: string;
  isWrite: boolean;
  userId?: string;
  keyId?: string;
  keyName?: string;
  clientName?: string;
  apiVersion?: string;
  body?: unknown;
}

/** Logged requests of a business, newest first. The read itself is not part of the log. */
export async function readLog(
  t: TestApp,
  shop: Shop,
  query = '',
  as: Person = shop.admin,
): Promise<LoggedLine[]> {
  await t.app.services.requestLog.flush();
  const { status, body } = await t.rest<{ items: LoggedLine[] }>(
    'GET',
    `/v1/businesses/${shop.businessId}/requests${query}`,
    { as },
  );
  if (status !== 200) throw new Error(`The log responded with ${status}: ${JSON.stringify(body)}`);
  return body.items;
}

/** All rows of both tables as text, to search for what must not be stored. */
export const readStoredText = async (t: TestApp): Promise<string> =>
  JSON.stringify(await t.db.sql('select * from request_log'));
