/** What accounts do in the background. */

import { sendSmsJob } from './messages/sms-job.ts';
import { forgotPasswordJob } from './passwords/reset-and-change.ts';
import { eraseUsersJob } from './privacy/erase-users.ts';
import { revokeIdentityTokenJob } from './sign-in/sessions.ts';

export const jobs = [forgotPasswordJob, sendSmsJob, revokeIdentityTokenJob, eraseUsersJob];
