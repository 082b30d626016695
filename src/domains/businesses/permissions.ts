/** Permissions of businesses. Read by scripts/gather.ts. */

export const permissions = {
  ADMIN: 'All permissions, including management of the business itself, its roles, members and settings.',
};
