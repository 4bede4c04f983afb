/** The fields for the recipient in the compose box. */
export type TargetField = 'channel-field' | 'topic-field' | 'people-field'

/** Focuses a field of the compose box: immediately if it is drawn, else as soon as it is. */
export function focusTargetField(field: TargetField): void {
  const selector = `.compose .${field} input:not(:disabled)`
  const find = () => document.querySelector<HTMLInputElement>(selector)
  // What is drawn for this very change is there after it; what takes longer, with the next frame.
  queueMicrotask(() => {
    const found = find()
    if (found) found.focus()
    else requestAnimationFrame(() => find()?.focus())
  })
}
