import { runCli } from './program.ts'

/** How long what is left may take when a command has ended, in milliseconds. */
const lastMs = 1000

/** Runs the program with the arguments of this process. The built programs start here as well. */
export async function run(): Promise<void> {
  // SIGUSR1 would open Node's debugger, to which every user of the machine could connect; SIGUSR2
  // would end the process.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})
  let isUnwritable = false
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && !isUnwritable) {
      process.stderr.write(`The output could not be written: ${message}\n`)
    }
    isUnwritable = true
  })
  process.stderr.on('error', () => {})
  process.on('exit', () => {
    if (isUnwritable) process.exitCode ||= 1
  })
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTerminal: process.stderr.isTTY,
  })
  // Whatever still waits for another server must not keep the process from ending.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
  }, lastMs).unref()
}
