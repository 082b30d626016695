/** A receiver of webhooks on loopback, which checks every signature with the official library. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import type { Person, Shop, TestApp } from './app.ts';
import { holdMessage } from './openapi.ts';

export interface Hook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Hooks {
  readonly url: string;
  readonly received: Hook[];
  /** How requests are answered; 200 until somebody says otherwise. */
  answer: (response: ServerResponse, hook: Hook) => void;
}

export const accepts = (response: ServerResponse): void => {
  response.writeHead(200).end('thank you');
};

export async function startHooks(): Promise<Hooks> {
  const received: Hook[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const hook = { path: request.url ?? '', headers: request.headers, body };
    received.push(hook);
    hooks.answer(response, hook);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const hooks: Hooks = { url: `http://127.0.0.1:${port}`, received, answer: accepts };
  return hooks;
}

/** What a receiver gets out of a request; throws when the signature is not genuine, or the message not one of the contract. */
export function verified(secret: string, { body, headers }: Hook): unknown {
  const message = new Webhook(secret).verify(body, headers as Record<string, string>);
  holdMessage(message);
  return message;
}

export interface Endpoint {
  id: string;
  businessId: string;
  url: string;
  description: string;
  events: string[];
  secret: string;
  status: string;
  disabledReason?: string;
  failingSince?: number;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  type: string;
  data: Record<string, unknown>;
  status: string;
  attempts: number;
  lastAttemptAt?: number;
  lastStatusCode?: number;
  lastError?: string;
  lastResponse?: string;
  lastDurationMs?: number;
  nextAttemptAt?: number;
  deliveredAt?: number;
  createdAt: number;
}

export const webhooksOf = (shop: Shop): string => `/v1/businesses/${shop.businessId}/webhooks`;

export async function register(
  t: TestApp,
  shop: Shop,
  url: string,
  events: string[] = ['*'],
  as: Person = shop.admin,
): Promise<Endpoint> {
  const { status, body } = await t.rest<Endpoint>('POST', webhooksOf(shop), { as, body: { url, events } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

export async function deliveriesTo(t: TestApp, shop: Shop, { id }: Endpoint): Promise<Delivery[]> {
  const { body } = await t.rest<{ items: Delivery[] }>(
    'GET',
    `${webhooksOf(shop)}/${id}/deliveries?limit=100`,
    {
      as: shop.admin,
    },
  );
  return body.items;
}

/** Whatever waits is due now. */
export const makeDue = (t: TestApp): Promise<unknown> =>
  t.db.sql(`update webhook_deliveries set next_attempt_at = 0 where status = 'PENDING'`);
