import { parley, type Run } from '#test/support/shell.ts'

/** A call of the program in a shell. */
export interface Command {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  /** What comes by a pipe from `printf %s '...'`. */
  readonly input: string
}

/** A line with variables alone stands for settings of the server. */
const prefix = /^(?:printf %s '([^']*)' \| )?((?:[A-Z_0-9]+=\S+(?: +|$))*)(?:(?:\.\/)?parley\b|$)/

/**
 * The calls of the program in an example, as far as a shell reads them: words in quotes, variables in
 * front, a password by a pipe, a backslash before the end of a line.
 *
 * @throws Error there is a line of another form
 */
export function commandsIn(code: string): Command[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [start, input = '', variables = ''] = prefix.exec(line) ?? []
      if (start === undefined) throw new Error(`Not a call of the program: ${line}`)
      return { input, env: assignments(variables), args: words(line.slice(start.length)) }
    })
}

function assignments(text: string): Record<string, string> {
  const pairs = text
    .split(' ')
    .filter(Boolean)
    .map((each) => /^(\w+)=(.*)$/.exec(each) ?? [])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

const words = (text: string) =>
  [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Runs the calls of an example one after another. @param adapt puts paths of the test into them */
export async function runCommands(
  code: string,
  adapt: (args: readonly string[]) => readonly string[] = (args) => args,
): Promise<Run[]> {
  const runs: Run[] = []
  for (const { args, env, input } of commandsIn(code)) {
    runs.push(await parley(adapt(args), input, env))
  }
  return runs
}

/** What the program makes of the settings of a call that starts the server, without starting it. */
export async function settingsOf({ args, env }: Command): Promise<Run> {
  return await parley(['config', ...args], '', env)
}
