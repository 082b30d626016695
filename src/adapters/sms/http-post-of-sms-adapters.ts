/** HTTP POST with timeout and error classification, shared by the SMS adapters. */
import { buildTraceHeaders } from '../../lib/tracing.ts';
import { SmsRejectedError } from '../../ports/sms.ts';

const timeoutMs = 10_000;

/** Throws SmsRejectedError for responses that a retry would not change. */
export async function postToSmsService(url: string, init: RequestInit): Promise<void> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(buildTraceHeaders())) headers.set(name, value);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', signal, ...init, headers });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  const message = `The SMS service responded with status ${status}.`;
  const isPermanent = status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
  throw isPermanent ? new SmsRejectedError(message) : new Error(message);
}
