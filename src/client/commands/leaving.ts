import { csrfToken } from '#client/api/fetch-api.ts'
import { localValues, ownKeys, tabValues } from '#client/ui/browser-storage.ts'
import { forgetKept } from './kept-database.ts'

/** Goes to the log-in page, which leads back to what is shown now. */
export function goToLogin(): void {
  location.assign(`/login/${location.hash}`)
}

/**
 * Leaves a page whose session has ended: for the chat of whoever has logged in over it in another tab,
 * or else for the log-in page.
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
 * Reloads for a new CSRF token, unless that was tried a moment ago: then it is of no use.
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
 * Removes what this tab has kept of another user, whose session ended without the log-in page having
 * been shown in it, which removes it otherwise.
 */
export function keepOwnStorage(selfId: number): void {
  if (tabValues.getItem(userKey) !== String(selfId))
    ownKeys('sessionStorage').forEach(tabValues.removeItem)
  tabValues.setItem(userKey, String(selfId))
}

const userKey = 'parley:tab-of'

/**
 * Tells the other tabs of this browser who is logged in, and hears it from those that open later.
 *
 * @param onOther called when that is someone else: the session of this tab is no longer there
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
  for (const name of ownKeys('localStorage')) if (!isOnlyHere(name)) localValues.removeItem(name)
  ownKeys('sessionStorage').forEach(tabValues.removeItem)
  await forgetKept()
  location.assign('/login/')
}
