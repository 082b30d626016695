/** Whether the real parts that are configured answer. */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { checkClock } from './check-clock.ts';
import { type DoctorFinding, errorFinding, noteFinding, okFinding, runDoctorCheck } from './finding.ts';

const waitMs = 5_000;
const lowSpaceMb = 500;

export async function checkConnections(config: Config): Promise<DoctorFinding[]> {
  const found = await Promise.all([
    runDoctorCheck('mail', () => aboutMail(config)),
    runDoctorCheck('redis', () => aboutRedis(config)),
    runDoctorCheck('disk', () => aboutDisk(config)),
    runDoctorCheck('files', () => aboutFiles(config)),
    runDoctorCheck('traces', () => aboutTraces(config)),
    ...endpointsOf(config).map(([what, url]) => runDoctorCheck(what, () => aboutEndpoint(what, url))),
  ]);
  return found.flat();
}

async function aboutMail({ smtpUrl }: Config): Promise<DoctorFinding[]> {
  if (smtpUrl === undefined)
    return [noteFinding('mail', 'embedded: mails stay in the outbox. Set SMTP_URL to send them.')];
  const { checkSmtp } = await import('../../adapters/mail/smtp.ts');
  const problem = await checkSmtp(smtpUrl);
  if (problem === undefined) return [okFinding('mail', 'the server takes our login')];
  return [errorFinding('mail', `SMTP_URL: ${problem}. Check address, user and password.`)];
}

async function aboutRedis({ redisUrl }: Config): Promise<DoctorFinding[]> {
  if (redisUrl === undefined) return [];
  const { readRedisTime: redisTime } = await import('../../adapters/limits/redis-limits.ts');
  const time = await redisTime(redisUrl);
  if (time === undefined)
    return [errorFinding('redis', 'REDIS_URL: no answer. Start it there, or correct the address.')];
  return [okFinding('redis', 'answers'), checkClock('Redis', time)];
}

async function aboutDisk({ databaseUrl, dataDir }: Config): Promise<DoctorFinding[]> {
  if (databaseUrl !== undefined) return [];
  const disk = await statfs(dataDir).catch(() => statfs('.'));
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 2 ** 20);
  const says = `${megabytes} MB free where DATA_DIR is`;
  return [megabytes < lowSpaceMb ? noteFinding('disk', `${says}: make room`) : okFinding('disk', says)];
}

/** A list of nothing: it needs the address, the bucket and the keys to be right, and leaves everything as it is. */
async function aboutFiles({ media: { s3 } }: Config): Promise<DoctorFinding[]> {
  if (!s3) return [];
  const { createS3MediaStore: createS3Media } = await import('../../adapters/media/s3.ts');
  try {
    await createS3Media(s3).removeAll(randomUUID());
    return [okFinding('files', `bucket ${s3.bucket} answers`)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [errorFinding('files', `${why} Check MEDIA_S3_ENDPOINT, the bucket, its region and the keys.`)];
  }
}

async function aboutTraces({ traces }: Config): Promise<DoctorFinding[]> {
  if (!traces) return [];
  const { checkCollector: askCollector } = await import('../../adapters/traces/otlp.ts');
  try {
    await askCollector(traces);
    return [okFinding('traces', 'the collector takes them')];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [errorFinding('traces', `${why} Check OTEL_EXPORTER_OTLP_ENDPOINT, the network and the headers.`)];
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
async function aboutEndpoint(what: string, url: string): Promise<DoctorFinding[]> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(what === 'sign-in' ? url : origin, {
      method: what === 'sign-in' ? 'GET' : 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    });
    await response.body?.cancel();
    if (what === 'sign-in' && response.status !== 200)
      return [errorFinding(what, `OIDC_ISSUER: ${url} answers ${response.status}. Correct the address.`)];
    return [okFinding(what, `${origin} answers`)];
  } catch {
    return [errorFinding(what, `${origin} does not answer. Check the address, the network and firewalls.`)];
  }
}
