import { csrfToken } from '#client/api/fetch-api.ts'
import { lastScreenKey, localValues } from '#client/ui/browser-storage.ts'

/** The browser database in which a page stores data for the start of the next one. */

const name = 'parley'
/** In `localStorage`: the session of the stored data. */
const hintKey = 'parley:kept'
/** How long reading may take, in milliseconds: some browsers never answer. */
export const patience = 2000

/** The largest below 2^61: 256 bits of a token become 61, which lead to no token. */
const prime = 2n ** 61n - 1n

/** Identifies the session without revealing it; empty without one. */
export function sessionMark(): string {
  const token = csrfToken()
  let hash = 0n
  for (const each of token) hash = (hash * 1_099_511_628_211n + BigInt(each.charCodeAt(0))) % prime
  return token && hash.toString(36)
}

let opening: string | undefined

/** The session when the page was opened, as of the first call, before any request. */
export function openingSession(): string {
  opening ??= sessionMark()
  return opening
}

/** Whether there is likely to be stored data for the session in which the page was opened. */
export function isKeptLikely(): boolean {
  const session = openingSession()
  return session !== '' && readHint() === session
}

/** @param session the session of the stored data; undefined: none */
export function setHint(session: string | undefined): void {
  // Without it the next start is a slower one.
  if (session !== undefined) localValues.setItem(hintKey, session)
  else for (const key of [hintKey, lastScreenKey]) localValues.removeItem(key)
}

const readHint = () => localValues.getItem(hintKey)

/** Whether there may be stored data, for any session. */
export const hasHint = () => readHint() !== null

/** Removes all stored data. It never fails: data that cannot be opened is not read either. */
export async function forgetKept(): Promise<void> {
  setHint(undefined)
  const late = new Promise<void>((resolve) => setTimeout(resolve, patience))
  await Promise.race([late, clear().catch(() => {})])
}

async function clear(): Promise<void> {
  const database = await openDatabase()
  const transaction = database.transaction(['parts', 'log'], 'readwrite')
  transaction.objectStore('parts').clear()
  transaction.objectStore('log').clear()
  await new Promise<void>((resolve) => {
    transaction.oncomplete = transaction.onabort = () => resolve()
  })
  database.close()
}

/** @throws DOMException the browser does not let pages store anything */
export function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('parts', { keyPath: 'name' })
    request.result.createObjectStore('log', { autoIncrement: true })
  }
  return resultOf(request).then((database) => {
    // Another page removes it, as the log-in page does.
    database.onversionchange = () => database.close()
    return database
  })
}

export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/**
 * Takes over the stored data and its queue for the lifetime of this page.
 *
 * @param signal aborts the wait for another page
 * @returns whether this page has it now
 */
export async function claimKept(signal?: AbortSignal): Promise<boolean> {
  if (!navigator.locks) return false
  return await new Promise((resolve) => {
    const hold = () => {
      resolve(true)
      return new Promise<never>(() => {})
    }
    navigator.locks
      .request('parley:kept', signal ? { signal } : {}, hold)
      .catch(() => resolve(false))
  })
}
