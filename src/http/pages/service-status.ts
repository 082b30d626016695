/** The parts of the system as a person sees them: embedded, or connected to the real thing. */
import type { Config } from '../../config.ts';

export interface ServiceStatus {
  name: string;
  embedded: boolean;
  /** What it is now, and how to connect the real one. */
  text: string;
  /** Where an embedded part can be looked into. */
  link?: string;
}

export function listServiceStatus(config: Config): ServiceStatus[] {
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
          text: 'Kept in the outbox. Set SMTP_URL to send it.',
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
          text: 'Kept in the outbox. Set SMS_WEBHOOK_URL or TWILIO_* to send them.',
          link: '/sandbox/outbox',
        },
    config.stripe
      ? { name: 'Payments', embedded: false, text: 'Stripe.' }
      : { name: 'Payments', embedded: true, text: 'A sandbox payment page. Set STRIPE_* to take money.' },
    config.llm
      ? { name: 'Text generation', embedded: false, text: config.llm.model }
      : { name: 'Text generation', embedded: true, text: 'Built in. Set LLM_* for a language model.' },
  ];
}
