import { availableParallelism, loadavg } from 'node:os'

/**
 * How many times longer than on a quiet machine something may take, as others use it too: 1 where
 * each program that wants a core has one, or where the system does not tell. At most 5.
 */
export function slowness(): number {
  const [wanting = 0] = loadavg()
  return Math.min(5, Math.max(1, wanting / availableParallelism()))
}
