import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Where log lines go. */
export interface LogDestination {
  /** Takes a line with its newline. Never throws and never waits. */
  write(line: string): void
  /** Writes what is waiting, as far as that is possible immediately, and drops the rest. */
  close(): void
  /** Continues in a new file with the same path, if the old one was renamed. */
  reopen(): void
  /** How many lines were dropped because they could not be written. */
  readonly dropped: number
}

interface Sender {
  /** Writes bytes without waiting. @returns how many were taken @throws the error of the system */
  send(bytes: Buffer): number
  close(): void
}

/** The most that may wait to be written, in bytes. */
const mostWaiting = 256 * 1024
/** When to try again while nothing is read from the other end, in milliseconds. */
const retryMs = 200
const newline = 0x0a

/**
 * Writes log lines to a file, or a file descriptor such as standard error, without ever blocking the
 * process: what cannot be written, because a disk is full or nobody reads a pipe, is dropped and
 * counted.
 *
 * @param target a descriptor, or the path of a file, created if missing, for its owner to read
 * @throws Error the file cannot be opened
 * @param onWritable called with the number of dropped lines when lines can be written again
 */
export function createLogDestination(
  target: number | string,
  onWritable?: (dropped: number) => void,
): LogDestination {
  return new NonBlockingLog(target, onWritable)
}

class NonBlockingLog implements LogDestination {
  readonly #target: number | string
  readonly #onWritable: (dropped: number) => void
  #send: (bytes: Buffer) => number
  #close: () => void
  #waiting: Buffer[] = []
  #size = 0
  #dropped = 0
  #reported = 0
  /** The last line that was written is incomplete. */
  #isTorn = false
  #isScheduled = false

  constructor(target: number | string, onWritable: (dropped: number) => void = () => {}) {
    this.#target = target
    this.#onWritable = onWritable
    const { send, close } = open(target)
    this.#send = send
    this.#close = close
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#size + bytes.length > mostWaiting) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(bytes)
    this.#size += bytes.length
    this.#schedule()
  }

  close(): void {
    this.#flush()
    this.#close()
  }

  reopen(): void {
    if (typeof this.#target === 'number') return
    this.#flush()
    const next = open(this.#target)
    this.#close()
    ;({ send: this.#send, close: this.#close } = next)
  }

  get dropped() {
    return this.#dropped
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isScheduled = false
    const lines = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#size = 0
    if (lines.length === 0) return
    const bytes = this.#isTorn ? Buffer.concat([Buffer.of(newline), lines]) : lines
    try {
      const sent = this.#send(bytes)
      if (sent > 0) this.#isTorn = false
      this.#keep(sent > 0 ? bytes.subarray(sent) : lines)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#keep(lines)
      else this.#drop(lines)
    }
    if (this.#size === 0 && !this.#isTorn && this.#dropped > this.#reported) this.#report()
  }

  /** Keeps what was not accepted for another try. */
  #keep(rest: Buffer): void {
    if (rest.length === 0) return
    this.#waiting = [rest]
    this.#size = rest.length
    this.#isScheduled = true
    setTimeout(() => this.#flush(), retryMs).unref()
  }

  #drop(bytes: Buffer): void {
    this.#dropped += lineCount(bytes)
    this.#isTorn = true
  }

  #report(): void {
    const count = this.#dropped - this.#reported
    this.#reported = this.#dropped
    this.#onWritable(count)
  }
}

function lineCount(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1
  return count
}

function open(target: number | string): Sender {
  if (typeof target === 'number') return sender(target)
  const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants
  const file = openSync(target, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY, 0o600)
  return { send: (bytes) => writeSync(file, bytes), close: () => closeSync(file) }
}

function sender(descriptor: number): Sender {
  const kind = kindOf(descriptor)
  if (kind?.isSocket()) return socketSender(descriptor)
  // A regular file never blocks. Its open file description is kept, and with it the position.
  const own = kind?.isFile() ? descriptor : withoutBlocking(descriptor)
  return { send: (bytes) => writeSync(own, bytes), close() {} }
}

/** Undefined if the descriptor is closed. */
function kindOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor)
  } catch {
    return undefined
  }
}

/**
 * Opens what a descriptor refers to once more, so that writing fails instead of blocking. Changing
 * the descriptor itself would also change it for other processes that share it.
 */
function withoutBlocking(descriptor: number): number {
  const { O_WRONLY, O_NONBLOCK, O_APPEND, O_NOCTTY } = constants
  try {
    return openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_APPEND | O_NOCTTY)
  } catch {
    return descriptor
  }
}

/** Sockets, such as that of a system's journal, cannot be opened once more. */
function socketSender(descriptor: number): Sender {
  const socket = new Socket({ fd: descriptor, readable: false, writable: true })
  let failure: Error | undefined
  socket.on('error', (error) => {
    failure = error
  })
  socket.unref()
  return {
    send(bytes) {
      if (failure) throw failure
      if (socket.writableLength > 0) return 0
      socket.write(bytes)
      return bytes.length
    },
    // A write in progress would keep the process from ending.
    close: () => socket.destroy(),
  }
}
