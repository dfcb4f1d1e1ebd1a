/** What calls name whose answers change with what somebody does about their own account. */
export const accountTopic = 'account';
