/** The release of the API whose behaviour is implemented, as clients compare it. */
export const zulipVersion = '11.0'

/** The highest feature level whose whole prefix works here. */
export const featureLevel = 421
