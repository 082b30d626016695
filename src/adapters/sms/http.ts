/** Texts over HTTP: what a webhook of your own and Twilio have in common. */
import { SmsRefused } from '../../ports/sms.ts';

const timeoutMs = 10_000;

/** Throws SmsRefused for answers that another try would not change. */
export async function postOrThrow(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(timeoutMs), ...init });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  const message = `The SMS service answered ${status}.`;
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);
  throw isFinal ? new SmsRefused(message) : new Error(message);
}
