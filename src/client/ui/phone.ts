/**
 * The condition for a single pane: a narrow window, or a phone on its side. The same as in the
 * styles.
 */
export const phoneQuery = '(max-width: 700px), (max-height: 480px) and (pointer: coarse)'
