/** Permissions and retention rules of the request log. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';
import { maxLoggedRequestsPerBusiness } from './model.ts';

export const permissions = {
  REQUESTS_READ: 'Read the log of API requests of the business, with their errors.',
};

export const retentionRules: readonly RetentionRule[] = [
  {
    retentionKey: 'requestLog',
    table: 'request_log',
    // Members and other callers have separate shares, so that strangers cannot displace the requests of the business.
    expiredCondition: `created_at < $1 or id in (
      select id from (
        select id, row_number() over (partition by business_id, is_member order by id desc) as position from request_log
        where business_id in (select business_id from request_log group by business_id having count(*) > ${maxLoggedRequestsPerBusiness})
      ) ranked where position > ${maxLoggedRequestsPerBusiness})`,
  },
];
