import { occasion } from '#platform/store/occasions.ts'

/** Someone's quiet times are other ones now, or begin or end earlier or later. */
export const quietTimesChanged = occasion<{ readonly userId: number }>('quiet times changed')
