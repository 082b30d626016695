/** The parts of the system as a person sees them: embedded, or connected to the real thing. */
import type { Config } from '../../config.ts';

export interface Part {
  name: string;
  embedded: boolean;
  /** What it is now, and how to connect the real one. */
  text: string;
  /** Where an embedded part can be looked into. */
  link?: string;
}

export function partsOf(config: Config): Part[] {
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
      : { name: 'Mail', embedded: true, text: 'Kept in the outbox. Set SMTP_URL to send it.' },
  ];
}
