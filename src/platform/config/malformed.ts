/** A text that is not what a setting takes. The message, if any, says more, without the value. */
export class MalformedValue extends Error {
  /** What is wrong: the text, or the part of it. It can be secret. */
  readonly part: string

  constructor(part: string, more = '') {
    super(more)
    this.part = part
  }
}
