/** Adapters that depend on the configuration: Redis or memory, OpenID provider, Stripe or the sandbox. Imported on demand. */
import { createMemoryRateLimiter, noopRateLimiter } from './adapters/limits/in-process-rate-limits.ts';
import { createLocalRequestBudgets } from './adapters/limits/in-process-request-budgets.ts';
import {
  createRedisBudgetReporter,
  createSharedRequestBudgets,
} from './adapters/limits/shared-request-budgets.ts';
import {
  createSandboxPaymentProvider,
  type SandboxPaymentProvider,
  type SandboxPaymentProviderOptions,
} from './adapters/payments/sandbox.ts';
import type { Config } from './config.ts';
import { portInstrumenters } from './instrument-ports-and-jobs.ts';
import type { Logger } from './log.ts';
import type { IdentityProvider } from './ports/identity.ts';
import type { Metrics } from './ports/metrics.ts';
import type { PaymentProvider } from './ports/payments.ts';
import type { PrimaryProcessClient } from './ports/primary-process-client.ts';
import type { RateLimiter } from './ports/rate-limits.ts';
import type { RequestBudgets } from './ports/request-budgets.ts';

/** Rate limits and request budgets: shared through Redis if REDIS_URL is set, by workers through their primary, otherwise local to this process. */
export async function createRateLimiterAndBudgets(
  { rateLimit, requestBudget, redisUrl }: Config,
  log: Logger,
  primary: PrimaryProcessClient | undefined,
): Promise<{ limits: RateLimiter; budgets: RequestBudgets | undefined }> {
  if (!rateLimit) return { limits: noopRateLimiter, budgets: undefined };
  if (!redisUrl && primary)
    return {
      limits: { consume: primary.consume, release: primary.release, close: async () => {} },
      budgets: createSharedRequestBudgets(primary.addUsage, requestBudget),
    };
  if (!redisUrl)
    return { limits: createMemoryRateLimiter(), budgets: createLocalRequestBudgets(requestBudget) };
  const { connectRedis, createRedisRateLimiter } = await import('./adapters/limits/redis-rate-limits.ts');
  const redis = await connectRedis(redisUrl, log);
  return {
    limits: createRedisRateLimiter(redis),
    budgets: createSharedRequestBudgets(createRedisBudgetReporter(redis), requestBudget),
  };
}

export async function createIdentityProvider(
  { oidc }: Config,
  metrics: Metrics | undefined,
): Promise<IdentityProvider | undefined> {
  if (!oidc) return undefined;
  const { createOidcProvider } = await import('./adapters/identity/openid-connect.ts');
  return portInstrumenters.identity(metrics, createOidcProvider(oidc));
}

/** Stripe if it is configured, otherwise the sandbox. The Stripe SDK is imported on demand. */
export async function createPaymentProvider(
  { stripe, publicUrl }: Config,
  parts: Omit<SandboxPaymentProviderOptions, 'publicUrl'>,
): Promise<{ payments: PaymentProvider; sandbox: SandboxPaymentProvider | undefined }> {
  if (stripe) {
    const { createStripePaymentProvider } = await import('./adapters/payments/stripe.ts');
    return { payments: createStripePaymentProvider(stripe), sandbox: undefined };
  }
  const sandbox = createSandboxPaymentProvider({ ...parts, publicUrl });
  return { payments: sandbox, sandbox };
}
