/** Jobs and retention rules of accounts. Read by scripts/gather.ts. */
import {
  sendConfirmEmailMailJob,
  sendPasswordResetMailJob,
} from './messages/send-one-time-token-mail-jobs.ts';
import { sendPhoneCodeJob, sendSmsJob } from './messages/send-sms-jobs.ts';
import { eraseUsersJob } from './privacy/erase-users.ts';
import { accountRetentionRules } from './privacy/retention-rules.ts';
import { revokeIdentityTokenJob } from './sign-in/sessions.ts';

export const jobs = [
  sendConfirmEmailMailJob,
  sendPasswordResetMailJob,
  sendPhoneCodeJob,
  sendSmsJob,
  revokeIdentityTokenJob,
  eraseUsersJob,
];

export const retentionRules = accountRetentionRules;
