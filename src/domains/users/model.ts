/** A user as they are stored and shown. */
import type { Membership } from '../businesses/memberships.ts';
import { membershipsColumn } from '../businesses/memberships.ts';

export interface Address {
  street?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
}

export interface ApiToken {
  id: string;
  name: string;
  lastFour: string;
  provider: 'API';
  createdAt: number;
}

export interface BusinessUserConfig {
  businessId: string;
  settings: Record<string, unknown>;
}

export interface User {
  id: string;
  name: string;
  email: string | null;
  isConfirmed: boolean;
  isGuest: boolean;
  phoneNumbers: string[];
  verifiedPhones: string[];
  addresses: Address[];
  memberships: Membership[];
  apiTokens: ApiToken[];
  businessUserConfigs: BusinessUserConfig[];
  onboardingCompleted: boolean;
  lastLoginAt: number | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** Whether the viewer reads themselves: keys, settings and events are nobody else's business. */
  isSelf: boolean;
}

const plainColumns = `u.id, u.name, u.email, u.is_confirmed as "isConfirmed", u.is_guest as "isGuest",
  u.phone_numbers as "phoneNumbers", u.verified_phones as "verifiedPhones", u.addresses,
  u.onboarding_completed as "onboardingCompleted", u.last_login_at as "lastLoginAt",
  u.version, u.created_at as "createdAt", u.updated_at as "updatedAt"`;

/** A user as they see themselves. */
export const ownColumns = `${plainColumns}, true as "isSelf", u.business_user_configs as "businessUserConfigs",
  ${membershipsColumn('u.id')} as memberships,
  (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'lastFour', t.last_four,
     'provider', t.provider, 'createdAt', t.created_at) order by t.created_at, t.id), '[]')
   from api_tokens t where t.user_id = u.id) as "apiTokens"`;

/** A user as the staff of some businesses sees them. */
export const sharedColumns = (businessIds: string) => `${plainColumns}, false as "isSelf",
  (select coalesce(jsonb_agg(c), '[]') from jsonb_array_elements(u.business_user_configs) c
   where (c->>'businessId') = any(${businessIds}::text[])) as "businessUserConfigs",
  ${membershipsColumn('u.id', businessIds)} as memberships, '[]'::json as "apiTokens"`;
