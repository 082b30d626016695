/** Creates the configured SMS adapter. */
import type { Db } from '../../db/handles.ts';
import type { SmsSender } from '../../ports/sms.ts';
import type { SmsConfig } from '../../read-provider-config.ts';
import { createSandboxSmsSender } from './sandbox.ts';
import { createTwilioSmsSender } from './twilio.ts';
import { createWebhookSmsSender } from './webhook.ts';

export function createSmsSender(config: SmsConfig | undefined, db: Db): SmsSender {
  if (config?.kind === 'webhook') return createWebhookSmsSender(config.url);
  return config ? createTwilioSmsSender(config) : createSandboxSmsSender(db);
}
