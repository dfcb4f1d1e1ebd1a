/** A link about this send is signed and about no message. Its page says that the link works. */
export const triedSend = { mailingId: 0, sendId: 0 } as const;

/** The title of that page. */
export const leavingWorks = 'Leaving works here';
