import { occasion } from '#platform/store/occasions.ts'

/** Someone's quiet times changed. */
export const quietTimesChanged = occasion<{ readonly userId: number }>('quiet times changed')
