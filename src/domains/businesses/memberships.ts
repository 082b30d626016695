/** Who works for which business, as a part of other queries. */
import type { Business, Role } from '../../generated/prisma/client.ts';

export interface Membership {
  since: number;
  role: Role;
  business: Business;
}

/** A JSON column with the memberships of a user, the oldest first; `only` restricts them to some businesses. */
export const membershipsColumn = (userId: string, only?: string) => `
  (select coalesce(json_agg(json_build_object(
     'since', m.created_at,
     'role', json_build_object('id', r.id, 'businessId', r.business_id, 'name', r.name, 'permissions', r.permissions,
       'version', r.version, 'createdAt', r.created_at, 'updatedAt', r.updated_at),
     'business', json_build_object('id', b.id, 'name', b.name, 'slug', b.slug, 'version', b.version,
       'createdAt', b.created_at, 'updatedAt', b.updated_at)
   ) order by m.created_at, m.business_id), '[]')
   from memberships m join roles r on r.id = m.role_id join businesses b on b.id = m.business_id
   where m.user_id = ${userId}${only === undefined ? '' : ` and m.business_id = any(${only}::uuid[])`})`;
