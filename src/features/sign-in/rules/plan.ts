/** Everybody's plan, until there are others. */
export const freePlan = 'free' as const;
