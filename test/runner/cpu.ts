import { readFileSync } from 'node:fs'

/** A tick of the times in `/proc`, in milliseconds: Linux has 100 a second on all platforms. */
const tickMs = 10

/** CPU that this process and its children that have ended have taken, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

/** That of the children; 0 where the system does not tell. */
function childrenMs(): number {
  try {
    // The name of the program, in brackets, may have blanks.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) * tickMs
  } catch {
    return 0
  }
}
