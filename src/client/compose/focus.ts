import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'

/** The fields for the recipient in the compose box. */
export type TargetField = 'channel-field' | 'topic-field' | 'people-field'

/** Focuses a field of the compose box: immediately if it is drawn, else as soon as it is. */
export function focusTargetField(field: TargetField): void {
  focusOnceDrawn(`.compose .${field} input`)
}
