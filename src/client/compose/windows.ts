/** Names this window, for as long as it is there. */
export const ownWindow: string = String(Math.random())

/** Holds the lock of a window until this one ends. @param options `ifAvailable`: only if nobody has it */
async function hold(name: string, options: LockOptions = {}): Promise<boolean> {
  return await new Promise((resolve) => {
    const isHeld = navigator.locks?.request(`parley:window:${name}`, options, (lock) => {
      resolve(lock !== null)
      return lock && new Promise(() => {})
    })
    // Without locks in the browser nothing is taken over.
    if (isHeld) isHeld.catch(() => resolve(false))
    else resolve(false)
  })
}

/** Says to other windows that this one is there. */
export const holdWindow = (): void => void hold(ownWindow)

const asked = new Map<string, Promise<boolean>>()

/** Whether a window is gone and this one is the first to notice, so that it takes over. */
export function takeOverWindow(name: string): Promise<boolean> {
  // Takes over everything immediately: later the lock seems to be held by this window.
  const known = asked.get(name) ?? hold(name, { ifAvailable: true })
  asked.set(name, known)
  return known
}
