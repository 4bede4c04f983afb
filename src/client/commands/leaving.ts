import { csrfToken } from '#client/api/fetch-api.ts'
import { localValues, ownKeys, tabValues } from '#client/ui/browser-storage.ts'
import { forgetKept } from './kept-database.ts'

/** Goes to the log-in page, which leads back to the current view. */
export function goToLogin(): void {
  location.assign(`/login/${location.hash}`)
}

/**
 * Leaves a page whose session has ended: for the chat of a user who has logged in meanwhile in
 * another tab, or else for the log-in page.
 */
export async function leaveEndedSession(): Promise<void> {
  await forgetKept()
  // The session ends a moment before the answer with the cookie of the new one arrives.
  for (const pause of [500, 1000]) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const isLoggedIn = await fetch('/json/users/me').then(
      ({ ok }) => ok,
      () => false,
    )
    if (isLoggedIn) return location.reload()
  }
  goToLogin()
}

/**
 * Reloads for a new CSRF token, unless that was tried a moment ago and did not help.
 *
 * @returns whether it does
 */
export function reloadForToken(): boolean {
  const last = Number(tabValues.getItem(key) ?? 0)
  if (Date.now() - last < 60_000) return false
  tabValues.setItem(key, String(Date.now()))
  location.reload()
  return true
}

const key = 'parley:reloaded-at'

/**
 * Removes the data of another user in this tab, whose session ended without the log-in page being
 * shown here, which would have removed it.
 */
export function keepOwnStorage(selfId: number): void {
  if (tabValues.getItem(userKey) !== String(selfId))
    ownKeys('sessionStorage').forEach(tabValues.removeItem)
  tabValues.setItem(userKey, String(selfId))
}

const userKey = 'parley:tab-of'

/**
 * Tells the other tabs of this browser which user is logged in, and listens to tabs that open
 * later.
 *
 * @param onOther called for another user: the session of this tab is over
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
 * Ends the session of this browser and removes its stored data.
 *
 * @param save sends unsaved changes to the server
 * @param isOnlyHere whether a key of the storage holds unsaved changes
 * @throws Error the server could not be reached: the session continues
 */
export async function logOut(
  save: () => Promise<void>,
  isOnlyHere: (name: string) => boolean,
): Promise<void> {
  await save()
  const headers = { 'X-CSRFToken': csrfToken() }
  const response = await fetch('/logout/', { method: 'POST', headers })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  for (const name of ownKeys('localStorage')) if (!isOnlyHere(name)) localValues.removeItem(name)
  ownKeys('sessionStorage').forEach(tabValues.removeItem)
  await forgetKept()
  location.assign('/login/')
}
