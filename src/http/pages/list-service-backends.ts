/** Status of the external services for the landing page: embedded or connected. */
import type { Config } from '../../config.ts';

export interface ServiceBackend {
  name: string;
  embedded: boolean;
  /** The implementation in use, and which variable connects the real service. */
  text: string;
  /** Page that shows the data of an embedded service. */
  link?: string;
}

export function listServiceBackends(config: Config): ServiceBackend[] {
  return [
    config.databaseUrl
      ? { name: 'Database', embedded: false, text: 'PostgreSQL.' }
      : {
          name: 'Database',
          embedded: true,
          text: `PGlite in ${config.dataDir}. Set DATABASE_URL for PostgreSQL.`,
        },
    config.smtpUrl
      ? { name: 'Mail', embedded: false, text: 'SMTP.' }
      : {
          name: 'Mail',
          embedded: true,
          text: 'Captured in the outbox. Set SMTP_URL to send mail.',
          link: '/sandbox/outbox',
        },
    config.sms
      ? {
          name: 'Text messages',
          embedded: false,
          text: config.sms.kind === 'twilio' ? 'Twilio.' : 'Webhook.',
        }
      : {
          name: 'Text messages',
          embedded: true,
          text: 'Captured in the outbox. Set SMS_WEBHOOK_URL or TWILIO_* to send them.',
          link: '/sandbox/outbox',
        },
    config.stripe
      ? { name: 'Payments', embedded: false, text: 'Stripe.' }
      : { name: 'Payments', embedded: true, text: 'Sandbox payment page. Set STRIPE_* to accept payments.' },
    config.llm
      ? { name: 'Text generation', embedded: false, text: config.llm.model }
      : {
          name: 'Text generation',
          embedded: true,
          text: 'Built-in templates. Set LLM_* for a language model.',
        },
  ];
}
