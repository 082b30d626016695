/** Webhook sender over HTTP. Only public IP addresses are allowed; they are checked when connecting, which prevents DNS rebinding. */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicIpAddress } from '../../lib/net/ip-addresses.ts';
import { buildTraceHeaders } from '../../lib/tracing.ts';
import type { WebhookResponse, WebhookSender } from '../../ports/webhooks.ts';

interface ResolvedIpAddress {
  address: string;
  family: number;
}

interface HttpWebhookSenderOptions {
  /** Also allows private and loopback addresses, and plain http. */
  allowPrivate: boolean;
  /** Resolves the addresses of a host name. Default: the system resolver with `allowPrivate`, otherwise public DNS. */
  resolve?: (hostname: string) => Promise<readonly ResolvedIpAddress[]>;
  /** Timeout of the whole request in milliseconds. Default 10,000. */
  timeoutMs?: number;
}

/** Maximum length of the response excerpt. */
const maxBytes = 4096;

/** System resolver, including the hosts file. */
const resolveLocally = (hostname: string) => systemLookup(hostname, { all: true });

/** Public DNS through c-ares. `dns.lookup` would occupy libuv threads, which password hashing needs too. */
async function resolvePublicly(hostname: string): Promise<ResolvedIpAddress[]> {
  const resolver = new Resolver({ timeout: 2500, tries: 2 });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
  const toAddresses = (result: PromiseSettledResult<string[]>, family: number) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  return [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
}

export function createHttpWebhookSender({
  allowPrivate,
  resolve = allowPrivate ? resolveLocally : resolvePublicly,
  timeoutMs = 10_000,
}: HttpWebhookSenderOptions): WebhookSender {
  const mayReach = (address: string) => allowPrivate || isPublicIpAddress(address);

  // The socket connects to the address that was checked here; the name is not resolved a second time.
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(new Error(`${hostname} has no address.`), '', 0);
        else if (!addresses.every(({ address }) => mayReach(address)))
          callback(privateAddressError(hostname), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

  return {
    async post({ url, headers, body }) {
      const { protocol, hostname } = new URL(url);
      const host = hostname.replace(/^\[|\]$/g, '');
      // An IP address in the URL is not resolved, so it is checked here; the configuration may have changed since registration.
      if (isIP(host) && !mayReach(host)) throw privateAddressError(host);
      if (protocol !== 'https:' && !allowPrivate) throw new Error('Only https is allowed.');
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await sendRequest(url, body, {
          method: 'POST',
          headers: { ...headers, ...buildTraceHeaders() },
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

const privateAddressError = (host: string) =>
  new Error(`${host} is a private address, which is not allowed.`);

function sendRequest(url: string, body: string, options: RequestOptions): Promise<WebhookResponse> {
  const createRequest = url.startsWith('https:') ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = createRequest(url, options, (response) => {
      readExcerpt(response)
        .then((excerpt) =>
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], excerpt }),
        )
        .catch(reject);
    });
    request.on('error', reject);
    request.setHeader('content-length', Buffer.byteLength(body));
    request.end(body);
  });
}

async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the stream, so the rest is not received.
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}
