/** Names of the queues that accounts write to; jobs.ts says what is done with them. */
export const revokeIdentityQueue = 'users.revoke-identity';
export const forgotPasswordQueue = 'users.forgot-password';
export const smsQueue = 'sms';
export const tidyQueue = 'users.tidy';
