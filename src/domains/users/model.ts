/** A user as callers see them. */
import type { ApiToken, User as StoredUser } from '../../generated/prisma/client.ts';
import type { Membership } from '../businesses/memberships.ts';

export interface Address {
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
}

export interface BusinessUserConfig {
  businessId: string;
  settings: Record<string, unknown>;
}

export interface User extends Omit<StoredUser, 'passwordHash' | 'addresses' | 'businessUserConfigs'> {
  addresses: Address[];
  /** For others, only those of the businesses they administer; so are the memberships. */
  businessUserConfigs: BusinessUserConfig[];
  memberships: Membership[];
  /** Empty for others. */
  apiTokens: ApiToken[];
  /** Whether the viewer reads themselves: keys, settings and events are nobody else's business. */
  isSelf: boolean;
}
