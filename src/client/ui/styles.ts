/** Style sheets that the page names, but does not load before they are needed. */
export type LaterStyles = 'formula' | 'settings' | 'surfaces'

/**
 * Loads a style sheet, once. The promise resolves when it is applied, and rejects if it cannot be
 * loaded.
 */
export async function loadStyles(name: LaterStyles): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>(`#${name}-styles`)
  if (!link || link.sheet) return
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve(), { once: true })
    const fail = () => {
      link.disabled = true
      reject(new Error(`The ${name} styles could not be loaded.`))
    }
    link.addEventListener('error', fail, { once: true })
    link.disabled = false
  })
}
