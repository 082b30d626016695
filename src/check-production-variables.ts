/** Requirements of NODE_ENV=production without SANDBOX=allowed: no embedded services and no demo shop. */
import type { EnvironmentVariables } from './environment-schema.ts';
import { ConfigError } from './lib/operator-errors.ts';

const externalServices = ['DATABASE_URL', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

export function assertProductionVariables(variables: EnvironmentVariables): void {
  const missing = externalServices.filter((name) => variables[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(
      `NODE_ENV=production, but these services are still embedded: set ${missing.join(', ')}, or SANDBOX=allowed to run with embedded services.`,
    );
  if (variables.SEED_DEMO)
    throw new ConfigError('SEED_DEMO: the password of the demo admin is public. Remove it in production.');
}
