/** Manifest of accounts: jobs, retention rules. Read by scripts/gather.ts. */
import { sendSmsJob } from './messages/sms-job.ts';
import { sendPasswordResetMailJob } from './passwords/reset-and-change.ts';
import { eraseUsersJob } from './privacy/erase-users.ts';
import { accountRetentionRules } from './privacy/retention-rules.ts';
import { revokeIdentityTokenJob } from './sign-in/sessions.ts';

export const jobs = [sendPasswordResetMailJob, sendSmsJob, revokeIdentityTokenJob, eraseUsersJob];

export const retentionRules = accountRetentionRules;
