import { csrfToken } from '#client/api/fetch-api.ts'

/** Goes to the log-in page, which leads back to what is shown now. */
export function goToLogin(): void {
  location.assign(`/login/${location.hash}`)
}

/**
 * Ends the session in this browser, then removes what was kept here.
 *
 * @param forget removes what the client kept about the user
 * @throws Error the server could not be reached: the session goes on
 */
export async function logOut(forget: () => void): Promise<void> {
  const headers = { 'X-CSRFToken': csrfToken() }
  const response = await fetch('/logout/', { method: 'POST', headers })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  forget()
  await caches.delete('shell')
  location.assign('/login/')
}
