/** What accounts do in the background. */
import { eraseJob } from './erase.ts';
import { forgotPasswordJob } from './passwords.ts';
import { revokeIdentityJob } from './sessions.ts';
import { smsJob } from './texts.ts';

export const jobs = [forgotPasswordJob, smsJob, revokeIdentityJob, eraseJob];
