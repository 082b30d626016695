/** Concurrent updates of products through two gateways on one PostgreSQL: no update is lost, and responses are correct. */
import { beforeAll, expect, it } from 'vitest';
import { loadGatewayKeys } from '../../src/auth/gateway-keys.ts';
import { createJwtService } from '../../src/auth/sign-and-verify-tokens.ts';
import { openDb } from '../../src/db/open-db.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { fetchWithRetry, type Gateway, startGateway } from '../support/gateway-process.ts';

let gateways: [Gateway, Gateway];
let headers: Record<string, string>;
const products = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products`;

beforeAll(async () => {
  const url = await auditedDatabaseUrl({ migrated: false });
  // Both start on an empty database and migrate it concurrently.
  gateways = await Promise.all([
    startGateway({ DATABASE_URL: url, SEED_DEMO: 'on' }),
    startGateway({ DATABASE_URL: url, SEED_DEMO: 'on' }),
  ]);
  const db = await openDb({ url });
  const { token } = await createJwtService(await loadGatewayKeys(db, undefined)).issueAccess({
    sub: demoShopIdsAndLogins.adminId,
    provider: 'EMAIL',
  });
  await db.close();
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
});

const gatewayUrl = (index: number) => gateways[index % 2 === 0 ? 0 : 1].url;

it('accepts exactly one of 100 parallel updates with If-Match per version', async () => {
  const created = await fetch(gatewayUrl(0) + products, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Contested' }),
  });
  const { id } = (await created.json()) as { id: string };
  let etag = created.headers.get('etag') ?? '';
  for (let round = 1; round <= 2; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_item, index) =>
        fetchWithRetry(`${gatewayUrl(index)}${products}/${id}`, {
          method: 'PUT',
          headers: { ...headers, 'if-match': etag },
          body: JSON.stringify({ description: `${round}-${index}` }),
        }),
      ),
    );
    const winners = responses
      .map((response, index) => ({ response, index }))
      .filter(({ response }) => response.status === 200);
    expect(
      responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 412),
    ).toEqual([]);
    expect(winners).toHaveLength(1);
    const current = await fetch(`${gatewayUrl(round)}${products}/${id}`, { headers });
    expect(await current.json()).toMatchObject({
      version: round + 1,
      description: `${round}-${winners[0]?.index}`,
    });
    etag = current.headers.get('etag') ?? '';
  }
});

it('loses none of 50 parallel updates without If-Match', async () => {
  const created = await fetch(gatewayUrl(0) + products, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Busy' }),
  });
  const { id } = (await created.json()) as { id: string };
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_item, index) =>
      fetchWithRetry(`${gatewayUrl(index)}${products}/${id}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ category: `c${index}` }),
      }),
    ),
  );
  const versions = await Promise.all(
    responses.map(async (response) => ((await response.json()) as { version: number }).version),
  );
  expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_item, index) => index + 2));
});

it('returns updates of one gateway from the other', async () => {
  const path = `${products}/stoneware-cup`;
  const before = (await (await fetch(gatewayUrl(0) + path, { headers })).json()) as {
    version: number;
    id: string;
  };
  await fetch(`${gatewayUrl(1)}${products}/${before.id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ description: 'Changed elsewhere' }),
  });
  for (const gateway of gateways) {
    expect(await (await fetch(`${gateway.url}${products}/${before.id}`, { headers })).json()).toMatchObject({
      version: before.version + 1,
      description: 'Changed elsewhere',
    });
  }
});

it('stops without dropping a request, and reports its readiness', async () => {
  const [gateway] = gateways;
  expect(await (await fetch(`${gateway.url}/health/ready`)).json()).toEqual({
    status: 'ok',
    database: 'ok',
    migrations: 'ok',
    stopping: false,
  });
  const pending = Array.from({ length: 20 }, (_item, index) =>
    fetch(gateway.url + products, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: `Last ${index}` }),
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  const code = gateway.stop();
  const statuses = (await Promise.allSettled(pending)).map((result) =>
    result.status === 'fulfilled' ? result.value.status : 'refused',
  );
  expect(statuses.filter((status) => status !== 200 && status !== 'refused')).toEqual([]);
  expect(await code).toBe(0);
});
