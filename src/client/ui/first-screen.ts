let tell = () => {}
const shown = new Promise<void>((resolve) => {
  tell = resolve
})

/**
 * Resolves once what the page opened with is on the screen. What nobody sees is loaded after it, so
 * that the first messages need not wait for it.
 */
export const whenFirstShown = (): Promise<void> => shown

/** Says that it is. */
export const markFirstShown = (): void => tell()
