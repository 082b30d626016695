/** Whether the real parts that are configured answer. */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { aboutClock } from './clock.ts';
import { type Finding, fine, note, safely, wrong } from './finding.ts';

const waitMs = 5_000;
const lowSpaceMb = 500;

export async function connectionFindings(config: Config): Promise<Finding[]> {
  const found = await Promise.all([
    safely('mail', () => aboutMail(config)),
    safely('redis', () => aboutRedis(config)),
    safely('disk', () => aboutDisk(config)),
    safely('files', () => aboutFiles(config)),
    safely('traces', () => aboutTraces(config)),
    ...endpointsOf(config).map(([what, url]) => safely(what, () => aboutEndpoint(what, url))),
  ]);
  return found.flat();
}

async function aboutMail({ smtpUrl }: Config): Promise<Finding[]> {
  if (smtpUrl === undefined)
    return [note('mail', 'embedded: mails stay in the outbox. Set SMTP_URL to send them.')];
  const { checkSmtp } = await import('../../adapters/mail/smtp.ts');
  const problem = await checkSmtp(smtpUrl);
  if (problem === undefined) return [fine('mail', 'the server takes our login')];
  return [wrong('mail', `SMTP_URL: ${problem}. Check address, user and password.`)];
}

async function aboutRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const { redisTime } = await import('../../adapters/limits/redis.ts');
  const time = await redisTime(redisUrl);
  if (time === undefined)
    return [wrong('redis', 'REDIS_URL: no answer. Start it there, or correct the address.')];
  return [fine('redis', 'answers'), aboutClock('Redis', time)];
}

async function aboutDisk({ databaseUrl, dataDir }: Config): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const disk = await statfs(dataDir).catch(() => statfs('.'));
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 2 ** 20);
  const says = `${megabytes} MB free where DATA_DIR is`;
  return [megabytes < lowSpaceMb ? note('disk', `${says}: make room`) : fine('disk', says)];
}

/** A list of nothing: it needs the address, the bucket and the keys to be right, and leaves everything as it is. */
async function aboutFiles({ media: { s3 } }: Config): Promise<Finding[]> {
  if (!s3) return [];
  const { createS3Media } = await import('../../adapters/media/s3.ts');
  try {
    await createS3Media(s3).removeAll(randomUUID());
    return [fine('files', `bucket ${s3.bucket} answers`)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [wrong('files', `${why} Check MEDIA_S3_ENDPOINT, the bucket, its region and the keys.`)];
  }
}

async function aboutTraces({ traces }: Config): Promise<Finding[]> {
  if (!traces) return [];
  const { askCollector } = await import('../../adapters/traces/otlp.ts');
  try {
    await askCollector(traces);
    return [fine('traces', 'the collector takes them')];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [wrong('traces', `${why} Check OTEL_EXPORTER_OTLP_ENDPOINT, the network and the headers.`)];
  }
}

function endpointsOf({ stripe, oidc, llm, sms }: Config): [string, string][] {
  const endpoints: [string, string | undefined][] = [
    ['payments', stripe?.apiBase],
    ['sign-in', oidc && `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`],
    ['text model', llm?.baseUrl],
    ['text messages', sms && (sms.kind === 'twilio' ? sms.apiBase : sms.url)],
  ];
  return endpoints.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Any answer will do: only who has the right request gets a good one. */
async function aboutEndpoint(what: string, url: string): Promise<Finding[]> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(what === 'sign-in' ? url : origin, {
      method: what === 'sign-in' ? 'GET' : 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    });
    await response.body?.cancel();
    if (what === 'sign-in' && response.status !== 200)
      return [wrong(what, `OIDC_ISSUER: ${url} answers ${response.status}. Correct the address.`)];
    return [fine(what, `${origin} answers`)];
  } catch {
    return [wrong(what, `${origin} does not answer. Check the address, the network and firewalls.`)];
  }
}
