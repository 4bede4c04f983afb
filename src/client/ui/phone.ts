/** Where one pane is shown at a time: a narrow window, or a phone on its side. Styles say the same. */
export const phoneQuery = '(max-width: 700px), (max-height: 480px) and (pointer: coarse)'
