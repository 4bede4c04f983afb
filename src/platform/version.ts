/** The Zulip release whose API is implemented; clients compare it. */
export const zulipVersion = '11.0'

/** The feature level: all API changes up to it are implemented. */
export const featureLevel = 421
