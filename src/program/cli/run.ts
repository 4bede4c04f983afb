import { runCli } from './program.ts'

/** Runs the program with the arguments of this process. The built programs start here as well. */
export async function run(): Promise<void> {
  // SIGUSR1 would open Node's debugger, to which every user of the machine could connect; SIGUSR2
  // would end the process.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    errIsTerminal: process.stderr.isTTY,
  })
}
