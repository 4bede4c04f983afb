/** Names this window, for as long as it is there. */
export const ownWindow: string = crypto.getRandomValues(new Uint32Array(3)).join('-')

const lockOf = (name: string) => `parley:window:${name}`
const untilEnd = () => new Promise<never>(() => {})

/** Says to other windows that this one is there. Without locks in the browser nothing is taken over. */
export function holdWindow(): void {
  navigator.locks?.request(lockOf(ownWindow), untilEnd).catch(() => {})
}

const asked = new Map<string, Promise<boolean>>()

/** Whether a window is gone and this is the first to find out, which takes over what it has left. */
export function takeOverWindow(name: string): Promise<boolean> {
  // All that it has left at once: later this window is seen to hold the lock.
  const known = asked.get(name) ?? askForWindow(name)
  asked.set(name, known)
  return known
}

async function askForWindow(name: string): Promise<boolean> {
  if (!navigator.locks) return false
  return await new Promise((resolve) => {
    navigator.locks
      .request(lockOf(name), { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        return lock ? untilEnd() : undefined
      })
      .catch(() => resolve(false))
  })
}
