/** The version of Parley: the newest one in the changelog, and the one in package.json. */
export const parleyVersion = '0.1.0'

/** The Zulip release whose API is implemented; clients compare it. */
export const zulipVersion = '11.0'

/** The feature level: all API changes up to it are implemented. */
export const featureLevel = 421
