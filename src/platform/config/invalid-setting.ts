/** A setting that cannot be used. The message is for the operator. */
export class InvalidSetting extends Error {
  /** The name of its variable. */
  readonly setting: string

  constructor(setting: string, message: string) {
    super(message)
    this.setting = setting
  }
}
