/** Quotas for what costs the operator money or reputation, from the environment variables. */
import type { EnvironmentVariables } from './environment-schema.ts';

export interface OperatorQuotas {
  readonly businessesPerAccount: number;
  /** Email addresses, in lower case, of the accounts that may found businesses. Undefined: every account. */
  readonly businessFounders: readonly string[] | undefined;
  readonly smsPerDay: number;
  /** Files per business: uploaded media, and files of imports. */
  readonly storageMegabytes: number;
  /** Records per business and kind, such as products. */
  readonly recordsPerBusiness: number;
  /** Newsletter mails per business and day, until the business has received a payment. */
  readonly unprovenMailsPerDay: number;
  /** Ids of businesses that count as proven without a payment. */
  readonly trustedBusinesses: 'all' | readonly string[];
}

const unlimited = Number.POSITIVE_INFINITY;

/** RATE_LIMIT=off lifts the quotas, as it does every limit. */
export const readOperatorQuotas = (e: EnvironmentVariables): OperatorQuotas => ({
  businessesPerAccount: e.RATE_LIMIT ? e.BUSINESSES_PER_ACCOUNT : unlimited,
  businessFounders: e.BUSINESS_FOUNDERS,
  smsPerDay: e.SMS_PER_DAY,
  storageMegabytes: e.RATE_LIMIT ? e.STORAGE_MB_PER_BUSINESS : unlimited,
  recordsPerBusiness: e.RATE_LIMIT ? e.RECORDS_PER_BUSINESS : unlimited,
  unprovenMailsPerDay: e.RATE_LIMIT ? e.UNPROVEN_MAILS_PER_DAY : unlimited,
  trustedBusinesses: e.TRUSTED_BUSINESSES,
});
