import { useEffect, useState } from 'preact/hooks'

/** How long to wait for the next key. */
const pauseMs = 350

/** A text once it has not changed for a moment, for requests about it. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
