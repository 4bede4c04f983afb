/** Loads the typeface of the client. @returns resolves when it is there, or cannot be had */
export async function loadTypeface(): Promise<void> {
  // Then texts are drawn in one of the system's.
  await document.fonts.load('1em Inter').catch(() => {})
}
