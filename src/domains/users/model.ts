/** A user as callers see them. */
import type { ApiToken, User as StoredUser } from '../../generated/prisma/client.ts';
import type { Membership } from '../businesses/staff/memberships.ts';

/** Who signs in. `email` is what the tokens will say. */
export interface TokenSubject {
  id: string;
  email: string | null;
}

export interface ProfileAddress {
  /** Absent in profiles that were last changed before addresses had one. */
  id?: string | undefined;
  name?: string | undefined;
  company?: string | undefined;
  street?: string | undefined;
  line2?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
}

export interface BusinessUserConfig {
  businessId: string;
  settings: Record<string, unknown>;
}

export interface User extends Omit<StoredUser, 'passwordHash' | 'addresses' | 'businessUserConfigs'> {
  addresses: ProfileAddress[];
  /** For others, only those of the businesses they administer; so are the memberships. */
  businessUserConfigs: BusinessUserConfig[];
  memberships: Membership[];
  /** Empty for others. */
  apiTokens: ApiToken[];
  /** Whether the viewer reads themselves: keys, settings and events are nobody else's business. */
  isSelf: boolean;
}
