/** Calls name this topic when their answers change with a person's own account. */
export const accountTopic = 'account';
