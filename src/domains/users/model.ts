/** User model as the API returns it. */
import type { ApiToken, User as StoredUser } from '../../generated/prisma/client.ts';
import type { BusinessMembership } from '../businesses/staff/manage-memberships.ts';

/** Subject of a session's tokens. `email` becomes the `email` claim; null for guests. */
export interface TokenSubject {
  id: string;
  email: string | null;
}

export interface ProfileAddress {
  /** Absent in profiles that were last updated before addresses had ids. */
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
  /** For a viewer other than the user: only those of the businesses that the viewer administers. The same applies to `memberships`. */
  businessUserConfigs: BusinessUserConfig[];
  memberships: BusinessMembership[];
  /** Empty for a viewer other than the user. */
  apiTokens: ApiToken[];
  /** Whether the viewer is this user. API keys, settings and security events are visible to the user alone. */
  isSelf: boolean;
}
