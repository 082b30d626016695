/** Webhooks over HTTP: to public addresses only, checked at the moment of connecting, so that no DNS answer can lead inside. */
import { lookup as lookUpHere, Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicIpAddress } from '../../lib/net/ip-addresses.ts';
import { traceHeaders } from '../../lib/tracing.ts';
import type { WebhookResponse, WebhookSender } from '../../ports/webhooks.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface HttpWebhookOptions {
  /** Also private and loopback addresses, and plain http. */
  allowPrivate: boolean;
  /** Finds the addresses of a host. */
  resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** For the whole exchange. */
  timeoutMs?: number;
}

/** Of an answer that nobody reads as a whole. */
const maxBytes = 4096;

/** The names this machine knows, its own too. */
const localNames = (hostname: string) => lookUpHere(hostname, { all: true });

/** Names of the public internet, asked for without the threads that passwords are hashed on: slow answers must not hold those up. */
async function publicNames(hostname: string): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const found = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(four, 4), ...found(six, 6)];
}

export function createHttpWebhooks({
  allowPrivate,
  resolve = allowPrivate ? localNames : publicNames,
  timeoutMs = 10_000,
}: HttpWebhookOptions): WebhookSender {
  const mayReach = (address: string) => allowPrivate || isPublicIpAddress(address);

  // The connection goes to an address that was checked here: the name is not looked up a second time.
  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) done(new Error(`${hostname} has no address.`), '', 0);
        else if (!addresses.every(({ address }) => mayReach(address))) done(refusal(hostname), '', 0);
        else if (options.all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };

  return {
    async post({ url, headers, body }) {
      const { protocol, hostname } = new URL(url);
      const host = hostname.replace(/^\[|\]$/g, '');
      // Nothing is looked up for an address, and the rules may have changed since it was registered.
      if (isIP(host) && !mayReach(host)) throw refusal(host);
      if (protocol !== 'https:' && !allowPrivate) throw new Error('Only https is allowed.');
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await exchange(url, body, {
          method: 'POST',
          headers: { ...headers, ...traceHeaders() },
          lookup,
          signal,
          agent: false,
        });
      } catch (error) {
        throw signal.aborted ? new Error(`No answer within ${timeoutMs / 1000} seconds.`) : error;
      }
    },
  };
}

const refusal = (host: string) => new Error(`${host} is a private address, which is not allowed.`);

function exchange(url: string, body: string, options: RequestOptions): Promise<WebhookResponse> {
  const request = url.startsWith('https:') ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sending = request(url, options, (response) => {
      beginningOf(response)
        .then((excerpt) =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            excerpt,
          }),
        )
        .catch(reject);
    });
    sending.on('error', reject);
    sending.setHeader('content-length', Buffer.byteLength(body));
    sending.end(body);
  });
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection: the rest is not even received.
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
