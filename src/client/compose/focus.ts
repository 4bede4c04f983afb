/** The fields of the compose box that say where a message goes. */
export type TargetField = 'channel-field' | 'topic-field' | 'people-field'

/** Focuses a field of the compose box, which may be drawn only after its state changed. */
export function focusTargetField(field: TargetField): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLInputElement>(`.compose .${field} input:not(:disabled)`)?.focus(),
  )
}
