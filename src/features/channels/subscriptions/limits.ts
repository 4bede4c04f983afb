/** The most channels in one request. */
export const maxChannels = 750
