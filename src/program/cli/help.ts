import { operatorPages } from '#features/web/help/contents.ts'
import { loadHelpText } from '#features/web/help/library.ts'
import { findTopic } from '#features/web/help/terminal.ts'
import { UsageError } from './options.ts'
import type { Setting } from './running.ts'

/** Declares `parley help`, which shows the pages for operators where no server runs. */
export function addHelp({ program, shell }: Setting): void {
  program.helpCommand(false)
  program
    .command('help [topic]')
    .description('show the help for a command, or a page of the help such as "backups"')
    .action(async (topic: string | undefined) => {
      if (topic === undefined) {
        shell.out(`${program.helpInformation()}\nPages of the help: ${operatorPages.join(', ')}\n`)
        return
      }
      // "mail" is both a command and a page.
      const command = program.commands.find((each) => each.name() === topic)
      const texts = [command?.helpInformation(), findTopic(await loadHelpText(), topic)]
      const found = texts.filter((text) => text !== undefined)
      if (found.length > 0) return shell.out(found.join('\n'))
      throw new UsageError(`There is no help about '${topic}'. Pages: ${operatorPages.join(', ')}.`)
    })
}
