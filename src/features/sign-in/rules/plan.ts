/** The plan of everybody, until there are others. */
export const freePlan = 'free' as const;
