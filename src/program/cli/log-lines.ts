const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}

/** The members that each line of the log has, and that a reader at a terminal does not need. */
const known = ['level', 'time', 'pid', 'hostname', 'msg', 'err']

/**
 * A line of the log for a person: time, level, message and members, and below it the stack of an
 * error. Control characters of what clients sent are escaped, so that they cannot write to the
 * terminal.
 *
 * @param json one line of the log; returned as it is if it is not JSON
 */
export function readableLine(json: string): string {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(json)
  } catch {
    return json
  }
  const time = new Date(Number(entry.time)).toISOString().slice(11, 23)
  const level = levels[Number(entry.level)] ?? String(entry.level)
  const members = Object.entries(entry)
    .filter(([name]) => !known.includes(name))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const first = [time, level.padEnd(5), String(entry.msg ?? ''), ...members].map(plain).join(' ')
  const { stack, message } = (entry.err ?? {}) as { stack?: unknown; message?: unknown }
  const trace = String(stack ?? message ?? '')
  const below = trace === '' ? [] : trace.split('\n').map((each) => `    ${plain(each.trim())}`)
  return `${[first, ...below].join('\n')}\n`
}

/** Whether a line of the log says only that a request succeeded. */
export function isSuccess(json: string): boolean {
  try {
    const { level, request, status } = JSON.parse(json)
    return level === 30 && request !== undefined && status < 400
  } catch {
    return false
  }
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) =>
    JSON.stringify(character).slice(1, -1),
  )
}
