/** A setting that cannot be used. The message is for the operator. */
export class InvalidSetting extends Error {}
