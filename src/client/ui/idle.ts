/** The longest that idle work waits, in milliseconds. */
const patience = 500

/** Runs something when the browser has nothing more urgent to do. @returns a handle to cancel it by */
export function whenIdle(run: () => void): number {
  // Safari has no idle callbacks.
  return typeof requestIdleCallback === 'function'
    ? requestIdleCallback(run, { timeout: patience })
    : window.setTimeout(run, 50)
}

export function cancelIdle(handle: number): void {
  if (typeof cancelIdleCallback === 'function') cancelIdleCallback(handle)
  else clearTimeout(handle)
}
