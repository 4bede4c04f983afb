import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'

/** Focuses the text of the compose box as soon as it is drawn. */
export const focusBoxOnceDrawn = (): void => focusOnceDrawn('.compose .editor-text')

/** The fields for the recipient in the compose box. */
export type TargetField = 'channel-field' | 'topic-field' | 'people-field'

/** Focuses a field of the compose box: immediately if it is drawn, else as soon as it is. */
export function focusTargetField(field: TargetField): void {
  focusOnceDrawn(`.compose .${field} input`)
}
