/** The fields of the compose box that say where a message goes. */
export type TargetField = 'channel-field' | 'topic-field' | 'people-field'

/** Focuses a field of the compose box: at once where it is drawn, else as soon as it is. */
export function focusTargetField(field: TargetField): void {
  const selector = `.compose .${field} input:not(:disabled)`
  const focus = () => document.querySelector<HTMLInputElement>(selector)?.focus()
  if (document.querySelector(selector)) focus()
  else requestAnimationFrame(focus)
}
