import { type Logger, pino } from 'pino'
import { createLogDestination, type LogDestination } from './destination.ts'

const destinations = new WeakMap<Logger, LogDestination>()

/**
 * Creates a log that never keeps the process waiting.
 *
 * @param level `Config.logLevel`
 * @param target the file descriptor, or the path of the file, to write to
 * @param format makes what is written of a line of JSON; by default the line itself
 */
export function createLog(
  level: string,
  target: number | string,
  format: (json: string) => string = (json) => json,
): Logger {
  const destination = createLogDestination(target, (dropped) => {
    log.warn({ dropped }, 'log lines could not be written and were dropped')
  })
  const log = pino({ level }, { write: (json) => destination.write(format(json)) })
  destinations.set(log, destination)
  return log
}

/** How many lines could not be written; 0 for a log that was not created here. */
export function droppedLines(log: Logger): number {
  return destinations.get(log)?.dropped ?? 0
}

/**
 * Continues in a new file if the current one was renamed. A file that cannot be opened is logged.
 */
export function reopenLog(log: Logger): void {
  try {
    destinations.get(log)?.reopen()
  } catch (error) {
    log.error({ err: error }, 'the log stays in its old file')
  }
}

/** Writes the last lines, as far as that is possible immediately. Nothing is logged afterwards. */
export function closeLog(log: Logger): void {
  destinations.get(log)?.close()
}
