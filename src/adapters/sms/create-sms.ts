/** Creates the configured SMS adapter. */
import type { SmsConfig } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import type { Sms } from '../../ports/sms.ts';
import { createSandboxSms } from './sandbox.ts';
import { createTwilioSms } from './twilio.ts';
import { createWebhookSms } from './webhook.ts';

export function createSms(config: SmsConfig | undefined, db: Db): Sms {
  if (config?.kind === 'webhook') return createWebhookSms(config.url);
  return config ? createTwilioSms(config) : createSandboxSms(db);
}
