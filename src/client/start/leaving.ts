import { csrfToken } from '#client/api/fetch-api.ts'

/** Goes to the log-in page, which leads back to what is shown now. */
export function goToLogin(): void {
  location.assign(`/login/${location.hash}`)
}

/**
 * Reloads for a new CSRF token, unless that was tried a moment ago: then it is of no use.
 *
 * @returns whether it does
 */
export function reloadForToken(): boolean {
  const last = Number(sessionStorage.getItem(key) ?? 0)
  if (Date.now() - last < 60_000) return false
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}

const key = 'parley:reloaded-at'

/**
 * Tells the other tabs of this browser who is logged in, and hears it from those that open later.
 *
 * @param onOther called when that is somebody else: the session of this tab is no longer there
 * @returns a function that ends it
 */
export function followUser(selfId: number, onOther: () => void): () => void {
  const tabs = new BroadcastChannel('parley:user')
  tabs.onmessage = ({ data }) => {
    if (data !== selfId) onOther()
  }
  tabs.postMessage(selfId)
  return () => tabs.close()
}

/**
 * Ends the session of this browser and removes what was kept in it.
 *
 * @param save gives the server what it does not have yet
 * @param isOnlyHere whether a key of the storage holds what the server still does not have
 * @throws Error the server could not be reached: the session goes on
 */
export async function logOut(
  save: () => Promise<void>,
  isOnlyHere: (name: string) => boolean,
): Promise<void> {
  await save()
  const headers = { 'X-CSRFToken': csrfToken() }
  const response = await fetch('/logout/', { method: 'POST', headers })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('parley:') && !isOnlyHere(name)) localStorage.removeItem(name)
  }
  sessionStorage.clear()
  location.assign('/login/')
}
