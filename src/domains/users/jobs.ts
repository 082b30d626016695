/** What accounts do in the background. */
import type { Services } from '../../context.ts';
import { now } from '../../lib/time.ts';
import { defineJob, noData } from '../../ports/jobs.ts';
import { forgotPasswordJob } from './passwords.ts';
import { revokeIdentityJob } from './sessions.ts';
import { smsJob } from './texts.ts';

/** What has expired no longer works; once a day it is also thrown away. */
const tidyJob = defineJob(
  'users.tidy',
  noData,
  async ({ db }: Pick<Services, 'db'>) => {
    const expired = { where: { expiresAt: { lt: now() } } };
    const { session, oneTimeToken, oauthState, loginCode, phoneCode } = db.prisma;
    await session.deleteMany(expired);
    await oneTimeToken.deleteMany(expired);
    await oauthState.deleteMany(expired);
    await loginCode.deleteMany(expired);
    await phoneCode.deleteMany(expired);
  },
  { cron: '17 3 * * *' },
);

export const jobs = [forgotPasswordJob, smsJob, revokeIdentityJob, tidyJob];
