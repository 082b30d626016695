/** Requirements of NODE_ENV=production without SANDBOX=allowed: no embedded services and no demo shop. */
import type { EnvironmentVariables } from './environment-schema.ts';
import { ConfigError } from './lib/operator-errors.ts';

const requiredVariables = {
  database: ['DATABASE_URL'],
  services: ['DATABASE_URL', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
} as const;

/** What a command uses in production: the database alone, or all services of the gateway. */
export type UsedServices = keyof typeof requiredVariables;

export function assertProductionVariables(variables: EnvironmentVariables, used: UsedServices): void {
  const missing = requiredVariables[used].filter((name) => variables[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(
      `NODE_ENV=production, but these services are still embedded: set ${missing.join(', ')}, or SANDBOX=allowed to run with embedded services.`,
    );
  if (variables.SEED_DEMO)
    throw new ConfigError('SEED_DEMO: the password of the demo admin is public. Remove it in production.');
}
