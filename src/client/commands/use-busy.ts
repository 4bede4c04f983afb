import { useState } from 'preact/hooks'

/** Whether something runs, and a function that says so until a promise settles. */
export function useBusy(): readonly [boolean, <T>(work: Promise<T>) => Promise<T>] {
  const [isBusy, setBusy] = useState(false)
  async function busily<T>(work: Promise<T>): Promise<T> {
    setBusy(true)
    try {
      return await work
    } finally {
      setBusy(false)
    }
  }
  return [isBusy, busily]
}
