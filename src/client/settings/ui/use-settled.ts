import { useEffect, useState } from 'preact/hooks'

/** How long someone pauses who wants to see what they typed. */
const pauseMs = 350

/** A text once it has not changed for a moment, for what asks the server about it. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
