/** Webhook receiver on loopback. `verifyWebhook` checks signatures with the official Standard Webhooks library. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll } from 'vitest';
import type { Person, Shop, TestApp } from './app.ts';
import { assertWebhookMatchesContract } from './contract-check.ts';

export interface WebhookRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: WebhookRequest[];
  /** Responds to requests; default: status 200. */
  respond: (response: ServerResponse, webhook: WebhookRequest) => void;
}

export const acceptWebhook = (response: ServerResponse): void => {
  response.writeHead(200).end('thank you');
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: WebhookRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const webhook = { path: request.url ?? '', headers: request.headers, body };
    received.push(webhook);
    receiver.respond(response, webhook);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = { url: `http://127.0.0.1:${port}`, received, respond: acceptWebhook };
  return receiver;
}

/** Message of a request. Throws if the signature is invalid or the message does not match the contract. */
export function verifyWebhook(secret: string, { body, headers }: WebhookRequest): unknown {
  const message = new Webhook(secret).verify(body, headers as Record<string, string>);
  assertWebhookMatchesContract(message);
  return message;
}

export interface WebhookEndpoint {
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

export interface WebhookDelivery {
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

export const webhooksPath = (shop: Shop): string => `/v1/businesses/${shop.businessId}/webhooks`;

export async function registerEndpoint(
  t: TestApp,
  shop: Shop,
  url: string,
  events: string[] = ['*'],
  as: Person = shop.admin,
): Promise<WebhookEndpoint> {
  const { status, body } = await t.rest<WebhookEndpoint>('POST', webhooksPath(shop), {
    as,
    body: { url, events },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

export async function listDeliveries(
  t: TestApp,
  shop: Shop,
  { id }: WebhookEndpoint,
): Promise<WebhookDelivery[]> {
  const { body } = await t.rest<{ items: WebhookDelivery[] }>(
    'GET',
    `${webhooksPath(shop)}/${id}/deliveries?limit=100`,
    {
      as: shop.admin,
    },
  );
  return body.items;
}

/** Makes all pending deliveries due now. */
export const makeDeliveriesDue = (t: TestApp): Promise<unknown> =>
  t.db.write(`update webhook_deliveries set next_attempt_at = 0 where status = 'PENDING'`);
