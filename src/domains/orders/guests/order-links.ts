/** Order links: URLs in mails that show one order without an account. Encrypted, valid for 90 days, revocable by the version on the order. */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { decryptWithSecret, encryptWithSecret } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { now } from '../../../lib/time.ts';
import { type Order, orderTable } from '../model.ts';

export const orderLinkPath = '/orders/view';

const lifetimeSeconds = 90 * 86_400;

const content = z.tuple([z.literal('order-link'), z.string(), z.number(), z.number()]);

/** `orderUrl` is the page of the shop, if it has one: the token is added to its query. */
export function buildOrderLink(
  { config, keys }: Pick<Services, 'config' | 'keys'>,
  { id, linkVersion = 0 }: Pick<Order, 'id' | 'linkVersion'>,
  orderUrl?: string,
): string {
  const fields: z.infer<typeof content> = ['order-link', id, linkVersion, now() + lifetimeSeconds];
  const url = new URL(orderUrl ?? `${config.publicUrl}${orderLinkPath}`);
  url.searchParams.set('token', encryptWithSecret(keys.secret, JSON.stringify(fields)));
  return url.href;
}

const selectById = `select ${orderTable.columns} from ${orderTable.from} where o.id = $1`;

/** Undefined when the token is forged, has expired or was revoked. */
export async function findOrderOfLink(
  { db, keys }: Pick<Services, 'db' | 'keys'>,
  token: string,
): Promise<Order | undefined> {
  const text = decryptWithSecret(keys.secret, token);
  if (!text?.startsWith('["order-link",')) return undefined;
  const [, id, linkVersion, expiresAt] = content.parse(JSON.parse(text));
  if (expiresAt <= now()) return undefined;
  const [row] = await db.sql<UntypedRow>(selectById, [id]);
  const order = row && orderTable.read(row);
  return order && (order.linkVersion ?? 0) === linkVersion ? order : undefined;
}

/** Version that revokes all existing links of the order. */
export const computeNextOrderLinkVersion = ({ linkVersion = 0 }: Pick<Order, 'linkVersion'>): number =>
  linkVersion + 1;
