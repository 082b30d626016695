/**
 * Registers the audit log as a source of user activity: a user who made a change in a business counts as active there.
 * Searches for people use it, see shared/business-contact-registry.ts.
 */
import { registerUserActivityCondition } from '../shared/business-contact-registry.ts';

registerUserActivityCondition(
  (user, businesses) =>
    `exists (select 1 from changes c where c.business_id = any(${businesses}::uuid[]) and c.user_id = ${user})`,
);
