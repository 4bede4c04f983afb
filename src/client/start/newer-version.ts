import { tabValues } from '#client/ui/browser-storage.ts'
import { ownVersion } from '#client/ui/own-version.ts'

/** How often to look whether the user has finished, in milliseconds. */
const patience = 5000

let isWaiting = false

/**
 * Reloads the page if the server has a new client, once nothing is being typed. Only once for each
 * version, to prevent a loop.
 *
 * @param isBusy whether a reload would disturb the user
 */
export async function followVersion(isBusy: () => boolean): Promise<void> {
  const version = await newerVersion()
  if (version === undefined || isWaiting || tabValues.getItem(key) === version) return
  isWaiting = true
  while (isBusy()) await new Promise((done) => setTimeout(done, patience))
  tabValues.setItem(key, version)
  location.reload()
}

/** Names the version for which the page was reloaded last. */
const key = 'parley:reloaded-for'

/** The version of the server's client; undefined: it is this one, or unknown. */
async function newerVersion(): Promise<string | undefined> {
  try {
    const response = await fetch('/static/client-version')
    const version = response.ok ? await response.text() : ''
    return version !== '' && version !== ownVersion() ? version : undefined
  } catch {
    return undefined
  }
}
