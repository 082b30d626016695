/** Checks the connections to all configured external services. */
import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { checkClock } from './check-clock.ts';
import {
  type DoctorFinding,
  errorFinding,
  noteFinding,
  okFinding,
  runDoctorCheck,
} from './create-and-format-findings.ts';

const timeoutMs = 5_000;
const lowSpaceMb = 500;

export async function checkExternalServices(config: Config): Promise<DoctorFinding[]> {
  const findings = await Promise.all([
    runDoctorCheck('mail', () => checkMail(config)),
    runDoctorCheck('redis', () => checkRedis(config)),
    runDoctorCheck('disk', () => checkDisk(config)),
    runDoctorCheck('files', () => (config.media.s3 ? checkMediaBucket(config) : checkMediaFolder(config))),
    runDoctorCheck('traces', () => checkTraces(config)),
    ...listEndpoints(config).map(([subject, url]) =>
      runDoctorCheck(subject, () => checkEndpoint(subject, url)),
    ),
  ]);
  return findings.flat();
}

async function checkMail({ smtpUrl }: Config): Promise<DoctorFinding[]> {
  if (smtpUrl === undefined)
    return [noteFinding('mail', 'embedded: mails are captured in the outbox. Set SMTP_URL to send them.')];
  const { findSmtpProblem } = await import('../../adapters/mail/smtp.ts');
  const problem = await findSmtpProblem(smtpUrl);
  if (problem === undefined) return [okFinding('mail', 'the server accepts the login')];
  return [errorFinding('mail', `SMTP_URL: ${problem}. Check address, user and password.`)];
}

async function checkRedis({ redisUrl }: Config): Promise<DoctorFinding[]> {
  if (redisUrl === undefined) return [];
  const { readRedisTime } = await import('../../adapters/limits/redis-rate-limits.ts');
  const time = await readRedisTime(redisUrl);
  if (time === undefined)
    return [errorFinding('redis', 'REDIS_URL: no response. Start Redis there, or correct the address.')];
  return [okFinding('redis', 'responds'), checkClock('Redis', time)];
}

async function checkDisk({ databaseUrl, dataDir }: Config): Promise<DoctorFinding[]> {
  if (databaseUrl !== undefined) return [];
  const disk = await statfs(dataDir).catch(() => statfs('.'));
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 2 ** 20);
  const message = `${megabytes} MB free on the disk of DATA_DIR`;
  return [
    megabytes < lowSpaceMb ? noteFinding('disk', `${message}: free some space`) : okFinding('disk', message),
  ];
}

async function checkMediaFolder({ media }: Config): Promise<DoctorFinding[]> {
  const { findMediaFolderProblem } = await import('../../adapters/media/disk.ts');
  const problem = await findMediaFolderProblem(media.dir);
  return problem ? [errorFinding('files', problem.message)] : [];
}

/** Removes an unused prefix: the request succeeds only with the right endpoint, bucket and keys, and deletes nothing. */
async function checkMediaBucket({ media: { s3 } }: Config): Promise<DoctorFinding[]> {
  if (!s3) return [];
  const { createS3MediaStore } = await import('../../adapters/media/s3.ts');
  try {
    await createS3MediaStore(s3).removeAll(randomUUID());
    return [okFinding('files', `bucket ${s3.bucket} responds`)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [errorFinding('files', `${reason} Check MEDIA_S3_ENDPOINT, the bucket, its region and the keys.`)];
  }
}

async function checkTraces({ traces }: Config): Promise<DoctorFinding[]> {
  if (!traces) return [];
  const { assertTraceCollectorAccepts } = await import('../../adapters/traces/otlp.ts');
  try {
    await assertTraceCollectorAccepts(traces);
    return [okFinding('traces', 'the collector accepts them')];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      errorFinding('traces', `${reason} Check OTEL_EXPORTER_OTLP_ENDPOINT, the network and the headers.`),
    ];
  }
}

function listEndpoints({ stripe, oidc, llm, sms }: Config): [string, string][] {
  const endpoints: [string, string | undefined][] = [
    ['payments', stripe?.apiBase],
    ['sign-in', oidc && `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`],
    ['text model', llm?.baseUrl],
    ['text messages', sms && (sms.kind === 'twilio' ? sms.apiBase : sms.url)],
  ];
  return endpoints.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Any HTTP response counts as success: the request has no credentials. Only the OIDC discovery document must be 200. */
async function checkEndpoint(subject: string, url: string): Promise<DoctorFinding[]> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(subject === 'sign-in' ? url : origin, {
      method: subject === 'sign-in' ? 'GET' : 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (subject === 'sign-in' && response.status !== 200)
      return [
        errorFinding(subject, `OIDC_ISSUER: ${url} responds with ${response.status}. Correct the address.`),
      ];
    return [okFinding(subject, `${origin} responds`)];
  } catch {
    return [
      errorFinding(subject, `${origin} does not respond. Check the address, the network and firewalls.`),
    ];
  }
}
