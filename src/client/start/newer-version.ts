/**
 * Whether the server has another client than the one of this page by now.
 *
 * @returns its version; undefined where it is the same, or cannot be known now
 */
export async function findNewerVersion(): Promise<string | undefined> {
  try {
    const response = await fetch('/static/client-version')
    const version = response.ok ? await response.text() : ''
    return version !== '' && version !== ownVersion() ? version : undefined
  } catch {
    return undefined
  }
}

function ownVersion(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="client-version"]')?.content
}

const key = 'parley:reloaded-for'

/** Reloads the page for another version of the client: once, so that nothing can make a loop of it. */
export function reloadFor(version: string): void {
  if (sessionStorage.getItem(key) === version) return
  sessionStorage.setItem(key, version)
  location.reload()
}
