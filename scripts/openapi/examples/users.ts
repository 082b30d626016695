/** Examples of fields whose name alone does not say enough. */
export const fields = {
  'User.name': 'Ada Lovelace',
};
