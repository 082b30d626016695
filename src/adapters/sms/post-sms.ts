/** Texts over HTTP: what a webhook of your own and Twilio have in common. */
import { traceHeaders } from '../../lib/tracing.ts';
import { SmsRejectedError } from '../../ports/sms.ts';

const timeoutMs = 10_000;

/** Throws SmsRefused for answers that another try would not change. */
export async function postSms(url: string, init: RequestInit): Promise<void> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', signal, ...init, headers });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  const message = `The SMS service answered ${status}.`;
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
  throw isFinal ? new SmsRejectedError(message) : new Error(message);
}
