/** Jobs that mail a confirmation or reset link. The token is created when the mail is sent: the queue never holds a link, the database only a hash. */
import { z } from 'zod';
import type { OneTimeTokenPurpose } from '../../../auth/sign-and-verify-tokens.ts';
import type { Services } from '../../../context.ts';
import { defineJob } from '../../../ports/jobs.ts';
import type { MailMessage } from '../../../ports/mail.ts';
import { mailJobPolicy, sendMailInJob } from '../../shared/queue-mail.ts';
import { createUnsavedOneTimeToken } from '../account/one-time-tokens.ts';
import { buildOneTimeTokenLink } from './account-mail-links.ts';
import { buildConfirmEmailMail, buildPasswordResetMail } from './build-account-mails.ts';

const tokenMailSchema = z.object({
  email: z.string(),
  linkBase: z.string(),
  messageId: z.string().exactOptional(),
});

export type TokenMailRequest = z.output<typeof tokenMailSchema>;

/** A retry creates another token; links that were sent before stay valid until they expire. */
async function sendTokenMail(
  services: Pick<Services, 'db' | 'tokens' | 'mail'>,
  purpose: OneTimeTokenPurpose,
  { email, messageId }: TokenMailRequest,
  build: (token: string) => MailMessage,
): Promise<void> {
  const user = await services.db.prisma.user.findUnique({
    where: { email },
    select: { id: true, isConfirmed: true },
  });
  if (!user || (purpose === 'CONFIRM' && user.isConfirmed)) return;
  const { token, save } = await createUnsavedOneTimeToken(services, purpose, user.id);
  await save(services.db);
  await sendMailInJob(services, { ...build(token), ...(messageId === undefined ? {} : { messageId }) });
}

export const sendConfirmEmailMailJob = defineJob(
  'users.confirm-mail',
  tokenMailSchema,
  (services: Services, request) =>
    sendTokenMail(services, 'CONFIRM', request, (token) =>
      buildConfirmEmailMail(request.email, buildOneTimeTokenLink(request.linkBase, 'confirm', token)),
    ),
  mailJobPolicy,
);

export const sendPasswordResetMailJob = defineJob(
  'users.forgot-password',
  tokenMailSchema,
  (services: Services, request) =>
    sendTokenMail(services, 'RESET', request, (token) =>
      buildPasswordResetMail(request.email, buildOneTimeTokenLink(request.linkBase, 'reset-password', token)),
    ),
  mailJobPolicy,
);
