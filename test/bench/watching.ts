import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** What a process holds in memory now. @throws Error the process is over */
export function residentMegabytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? linuxKilobytes(pid, 'VmRSS')
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) / 1000
}

/** The most that a process has ever held; elsewhere than on Linux, what it holds now. */
function peakMegabytes(pid: number): number {
  return process.platform === 'linux'
    ? Number(linuxKilobytes(pid, 'VmHWM')) / 1000
    : residentMegabytes(pid)
}

/** @source proc_pid_status(5) @throws Error the process is over */
function linuxKilobytes(pid: number, field: 'VmRSS' | 'VmHWM'): string {
  const file = `/proc/${pid}/status`
  const status = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const found = new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]
  if (found === undefined) throw new Error(`Process ${pid} is over.`)
  return found
}

/** What the main thread of a process did so far, in milliseconds. */
export interface ThreadTimes {
  readonly computed: number
  /** How long it could have gone on, but other threads had the processors. */
  readonly delayed: number
}

/**
 * Elsewhere than on Linux, and for a process that is over, all time counts as computed.
 *
 * @source Linux kernel documentation, "Scheduler Statistics": `/proc/<pid>/schedstat`
 */
export function mainThreadTimes(pid: number): ThreadTimes {
  try {
    const [computed, delayed] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return { computed: Number(computed) / 1e6, delayed: Number(delayed) / 1e6 }
  } catch {
    return { computed: performance.now(), delayed: 0 }
  }
}

/** How often to look, in milliseconds: what a process held when it died is that old. */
const lookEveryMs = 100

/** Watches the memory of a process until `stop`, which returns its peak in megabytes. */
export function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  const look = () => {
    try {
      peak = Math.max(peak, peakMegabytes(pid))
    } catch {
      // It is over; what it held last counts.
    }
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peak
    },
  }
}
