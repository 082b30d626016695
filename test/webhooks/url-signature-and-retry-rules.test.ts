/** Webhook rules without I/O: IP addresses, endpoint URLs, signatures, retry delays and excerpts. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  computeWebhookRetryDelaySeconds,
  createWebhookSecret,
  findWebhookUrlError,
  maskWebhookSecret,
  parseRetryAfterSeconds,
  signWebhook,
  toPrintableExcerpt,
} from '../../src/domains/webhooks/url-signature-and-retry-rules.ts';
import { webhookEventDescriptions } from '../../src/domains/webhooks/webhook-event-types.ts';
import { isPublicIpAddress } from '../../src/lib/net/ip-addresses.ts';

describe('IP addresses', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.170',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    '3fff::1',
    'localhost',
    '',
  ])('%s is not public', (address) => expect(isPublicIpAddress(address)).toBe(false));

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001:800::200e',
  ])('%s is public', (address) => expect(isPublicIpAddress(address)).toBe(true));
});

describe('endpoint URLs', () => {
  const long = `https://hooks.example/${'a'.repeat(1970)}`;
  it.each([
    ['https://hooks.example', undefined],
    ['https://hooks.example:8443/a/b?c=d', undefined],
    ['https://93.184.216.34/hook', undefined],
    ['https://[2606:4700:4700::1111]/hook', undefined],
    ['https://localhost.example/', undefined],
    [long, undefined],
    ['', 'INVALID_URL'],
    ['hooks.example', 'INVALID_URL'],
    ['//hooks.example', 'INVALID_URL'],
    ['ftp://hooks.example', 'INVALID_URL'],
    ['file:///etc/passwd', 'INVALID_URL'],
    ['javascript:alert(1)', 'INVALID_URL'],
    ['gopher://127.0.0.1:6379/_', 'INVALID_URL'],
    ['https://user@hooks.example', 'INVALID_URL'],
    ['https://user:secret@hooks.example', 'INVALID_URL'],
    ['https://hooks.example/#there', 'INVALID_URL'],
    ['https://hooks.example/#', 'INVALID_URL'],
    ['http://hooks.example', 'HTTPS_REQUIRED'],
    ['https://localhost', 'PRIVATE_ADDRESS'],
    ['https://LOCALHOST:8443', 'PRIVATE_ADDRESS'],
    ['https://localhost./', 'PRIVATE_ADDRESS'],
    ['https://api.localhost', 'PRIVATE_ADDRESS'],
    ['https://127.0.0.1', 'PRIVATE_ADDRESS'],
    ['https://127.1', 'PRIVATE_ADDRESS'],
    ['https://2130706433', 'PRIVATE_ADDRESS'],
    ['https://0x7f.1', 'PRIVATE_ADDRESS'],
    ['https://0177.0.0.1', 'PRIVATE_ADDRESS'],
    ['https://①②⑦.0.0.1', 'PRIVATE_ADDRESS'],
    ['https://0', 'PRIVATE_ADDRESS'],
    ['https://10.1.2.3', 'PRIVATE_ADDRESS'],
    ['https://169.254.169.254/latest/meta-data', 'PRIVATE_ADDRESS'],
    ['https://[::1]', 'PRIVATE_ADDRESS'],
    ['https://[::ffff:127.0.0.1]', 'PRIVATE_ADDRESS'],
    ['https://[::ffff:7f00:1]', 'PRIVATE_ADDRESS'],
    ['https://[fe80::1]', 'PRIVATE_ADDRESS'],
    ['https://[64:ff9b::a00:1]', 'PRIVATE_ADDRESS'],
  ])('%s: %s', (url, error) => expect(findWebhookUrlError(url, false)?.error).toBe(error));

  it.each([
    ['http://127.0.0.1:9000/hook', undefined],
    ['http://localhost:9000', undefined],
    ['ftp://localhost', 'INVALID_URL'],
    ['http://user@localhost', 'INVALID_URL'],
  ])('%s where private addresses are allowed: %s', (url, error) =>
    expect(findWebhookUrlError(url, true)?.error).toBe(error),
  );
});

describe('signatures', () => {
  it('equal those of the official library, for any body', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), fc.nat(4_000_000_000), (id, body, time) => {
        const secret = createWebhookSecret();
        const official = new Webhook(secret).sign(id, new Date(time * 1000), body);
        expect(signWebhook([secret], id, time, body)).toBe(official);
      }),
    );
  });

  it('contain one signature per secret', () => {
    const [current, previous] = [createWebhookSecret(), createWebhookSecret()];
    const both = signWebhook([current, previous], 'id', 1, '{}');
    expect(both).toBe(`${signWebhook([current], 'id', 1, '{}')} ${signWebhook([previous], 'id', 1, '{}')}`);
  });

  it('use secrets of 32 random bytes, which are masked except four characters', () => {
    const secret = createWebhookSecret();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(maskWebhookSecret(secret)).toBe(`whsec_****${secret.slice(45, 49)}`);
    expect(createWebhookSecret()).not.toBe(secret);
  });
});

describe('retry delays', () => {
  it('grow and span a day', () => {
    const delays = Array.from({ length: 10 }, (_, index) =>
      computeWebhookRetryDelaySeconds(index + 1, undefined, 0.5),
    );
    expect(delays).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000]);
    expect(computeWebhookRetryDelaySeconds(11, undefined)).toBeUndefined();
    const sum = delays.reduce<number>((total, delay) => total + (delay ?? 0), 0);
    expect(sum).toBeGreaterThan(23 * 3600);
    expect(sum).toBeLessThanOrEqual(24 * 3600);
  });

  it('vary by at most 10 % and respect the delay requested by the receiver', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.nat(200_000), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, requested, random) => {
          const base = computeWebhookRetryDelaySeconds(attempts, undefined, 0.5) ?? 0;
          const delay = computeWebhookRetryDelaySeconds(attempts, requested, random) ?? 0;
          const minDelay = Math.min(requested ?? 0, 12 * 3600);
          expect(delay).toBeGreaterThanOrEqual(Math.max(Math.floor(base * 0.9), minDelay));
          expect(delay).toBeLessThanOrEqual(Math.max(Math.ceil(base * 1.1), minDelay));
        },
      ),
    );
  });

  const now = Date.parse('2026-11-15T06:00:00Z');
  it.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, 'Sun, 15 Nov 2026 06:10:00 GMT', 600],
    [503, 'Sun, 15 Nov 2026 05:00:00 GMT', undefined],
    [503, 'soon', undefined],
    [503, '-5', undefined],
    [503, '0', undefined],
    [503, '99999999999999999999', undefined],
    [503, undefined, undefined],
    [500, '120', undefined],
    [200, '120', undefined],
  ])('of %i with Retry-After: %s', (status, retryAfter, expected) =>
    expect(parseRetryAfterSeconds({ status, retryAfter }, now)).toBe(expected),
  );
});

it('truncates an excerpt and removes control characters', () => {
  expect(toPrintableExcerpt(`a\u0000b\r\n${'😀'.repeat(600)}`)).toBe(`a b ${'😀'.repeat(496)}`);
});

describe('the documentation', () => {
  const text = readFileSync('docs/reference/webhooks.md', 'utf8');
  const match = (pattern: RegExp) => pattern.exec(text)?.[1] ?? expect.unreachable(String(pattern));

  it('shows a request with a valid signature', () => {
    const secret = match(/secret `(whsec_\S+)`/);
    const [id, body] = [match(/^webhook-id: (.+)$/m), match(/^(\{"type".+\})$/m)];
    const time = Number(match(/^webhook-timestamp: (\d+)$/m));
    expect(signWebhook([secret], id, time, body)).toBe(match(/^webhook-signature: (.+)$/m));
    expect(new Webhook(secret).sign(id, new Date(time * 1000), body)).toBe(
      match(/^webhook-signature: (.+)$/m),
    );
  });

  it('lists every event type', () => {
    for (const type of Object.keys(webhookEventDescriptions)) expect(text).toContain(`\`${type}\``);
  });
});
