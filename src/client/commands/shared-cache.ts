/** The browser's cache for data that another app has shared. */
export const sharedCache = 'shared'
