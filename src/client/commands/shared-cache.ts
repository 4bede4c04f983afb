/** The cache of the browser in which something may lie that another app has shared. */
export const sharedCache = 'shared'
