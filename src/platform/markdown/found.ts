/** A recognized construct that is not rendered yet. */
export interface MarkdownConstruct {
  /** Its end in the source. */
  end: number
  /** Returns its HTML and records its mentions and links in the context. */
  render(): string
}
