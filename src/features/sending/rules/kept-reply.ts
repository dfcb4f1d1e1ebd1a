/** The answer to a message that is kept where no mail server is set. */
export const keptReply = 'Kept in the outbox';
