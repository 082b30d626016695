/** generateBlocks: generated values always pass block validation, for every text generator. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinBlockValueGenerator } from '../../src/adapters/block-value-generator/builtin.ts';
import type { Block } from '../../src/domains/blocks/model.ts';
import { validateBlockValue } from '../../src/domains/blocks/validate-value.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const blocks: Block[] = [
  { id: 'title', type: 'TEXT', settings: { maxLength: 40 } },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  { id: 'price', type: 'NUMBER' },
  { id: 'open', type: 'BOOLEAN' },
  { id: 'day', type: 'DATE' },
  { id: 'place', type: 'GEO_LOCATION' },
  { id: 'colour', type: 'SELECT', settings: { options: ['red', 'blue'] } },
  { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['tea', 'coffee'] } },
  { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
  { id: 'photo', type: 'MEDIA' },
];

interface Generated {
  blocks: { id: string; type: string; value: unknown }[];
}

const generate = (t: TestApp, shop: Shop, body: object = { prompt: 'A blog post about green tea', blocks }) =>
  t.rest<Generated>('POST', `/v1/businesses/${shop.businessId}/collections/blocks/generate`, {
    as: shop.admin,
    body,
  });

describe('built-in generator', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await testApp();
    shop = await t.shop();
  });

  it('derives values from the prompt deterministically', async () => {
    const answer = await generate(t, shop);
    expect(answer.status).toBe(200);
    expect(answer.body.blocks.map(({ id }) => id)).toEqual([
      'title',
      'body',
      'price',
      'open',
      'day',
      'place',
      'colour',
      'tags',
    ]);
    expect(answer.body.blocks[0]).toEqual({ id: 'title', type: 'TEXT', value: 'Green tea' });
    expect(answer.body.blocks.at(-1)).toEqual({ id: 'tags', type: 'MULTI_SELECT', value: ['tea'] });
    expect((await generate(t, shop)).body).toEqual(answer.body);
  });

  it('reports validation errors of the request', async () => {
    expect(await generate(t, shop, { prompt: '', blocks: [{ id: 'x', type: 'NOPE' }] })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'blocks.0.type' }, { field: 'prompt' }] },
    });
    expect((await generate(t, shop, { prompt: 'x', blocks: [] })).status).toBe(422);
  });

  it('never generates a value that its block rejects', async () => {
    const prompts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    const ids = fc.constantFrom('title', 'slug', 'summary', 'body', 'x');
    const settings = fc.record({
      maxLength: fc.integer({ min: 20, max: 300 }),
      variant: fc.constantFrom('HTML', 'PLAIN'),
    });
    await fc.assert(
      fc.asyncProperty(prompts, ids, settings, async (prompt, id, limits) => {
        const block: Block = { id, type: 'TEXT', settings: limits };
        const value = (await builtinBlockValueGenerator.generate(prompt, [block])).get(id);
        expect(validateBlockValue(block, value).issues).toEqual([]);
      }),
    );
  });
});

describe('an OpenAI-compatible endpoint', () => {
  let t: TestApp;
  let shop: Shop;
  let server: Server;
  let reply: { status: number; body: string };
  let receivedRequest: {
    url?: string | undefined;
    authorization?: string | undefined;
    body: Record<string, unknown>;
  };

  beforeAll(async () => {
    server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      receivedRequest = {
        url: req.url,
        authorization: req.headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      };
      res.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    t = await testApp({
      LLM_BASE_URL: `http://127.0.0.1:${port}/v1/`,
      LLM_API_KEY: 'sk-test',
      LLM_MODEL: 'small',
    });
    shop = await t.shop();
  });
  afterAll(() => server.close());

  const answerWith = (values: unknown) => {
    reply = {
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: JSON.stringify(values) } }] }),
    };
  };

  it('requests structured output, repairs values where possible and omits the others', async () => {
    answerWith({
      block_0: `Tea ${'x'.repeat(60)}`,
      block_1: '<p>Hi</p><script>alert(1)</script>',
      block_2: '12.5',
      block_3: 'maybe',
      block_4: '2025-01-01T00:00:00Z',
      block_5: { latitude: 123, longitude: 0 },
      block_6: 'RED',
      block_7: ['Tea', 'tea', 'milk'],
    });
    const answer = await generate(t, shop);
    expect(receivedRequest).toMatchObject({
      url: '/v1/chat/completions',
      authorization: 'Bearer sk-test',
      body: { model: 'small', response_format: { type: 'json_schema', json_schema: { strict: true } } },
    });
    expect(answer.body.blocks).toEqual([
      { id: 'title', type: 'TEXT', value: `Tea ${'x'.repeat(36)}` },
      { id: 'body', type: 'TEXT', value: '<p>Hi</p>' },
      { id: 'price', type: 'NUMBER', value: 12.5 },
      { id: 'day', type: 'DATE', value: 1_735_689_600 },
      { id: 'colour', type: 'SELECT', value: 'red' },
      { id: 'tags', type: 'MULTI_SELECT', value: ['tea'] },
    ]);
  });

  it.each([
    ['an error', { status: 500, body: '{}' }],
    ['no JSON', { status: 200, body: 'hello' }],
    ['no content', { status: 200, body: '{}' }],
    ['content that is no JSON', { status: 200, body: '{"choices":[{"message":{"content":"Sure!"}}]}' }],
  ])('returns 503 when the endpoint returns %s', async (_label, response) => {
    reply = response;
    const answer = await generate(t, shop);
    expect(answer).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', details: [] } });
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});
