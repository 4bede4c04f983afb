/** The most messages in a reply. @source Zulip API, "Get messages" */
export const mostInReply = 5000

/** The most messages that one request may change. */
export const mostFlagged = 5000
