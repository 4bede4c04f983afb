import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isSea } from 'node:sea'
import { Argument } from 'commander'
import { systemClock } from '#platform/clock.ts'
import { badRequest } from '#platform/errors.ts'
import { databaseIn } from '#platform/store/folder.ts'
import { parleyVersion } from '#platform/version.ts'
import { readConfig } from '#program/config.ts'
import { findNewerRelease } from '#program/releases/listing.ts'
import { outcomeOf, type Setting } from './running.ts'

interface Options {
  readonly data: string
  readonly sum?: string
  readonly backup: string | boolean
}

/** @param executable what is replaced; undefined: this program is no executable */
export function addUpgrade(
  setting: Setting,
  executable = isSea() ? process.execPath : undefined,
): void {
  const { program, shell, data } = setting
  program
    .command('upgrade')
    .description(
      'replace this executable with that of a newer release; without a file, look for one',
    )
    .addArgument(new Argument('[file]', 'the archive of the release for this platform'))
    .option('--sum <sha256>', 'its SHA-256; default: the one in SHA256SUMS beside it')
    .option('--backup <target>', 'where to back up to first; default: in the data folder')
    .option('--no-backup', 'upgrade without a backup')
    .addOption(data())
    .action(async (file: string | undefined, options: Options) => {
      if (file === undefined) {
        shell.out(await askForRelease(setting))
        return
      }
      if (executable === undefined) {
        throw badRequest(
          'Only the single-file executable can replace itself. Replace the file that you start, or install the ' +
            'npm package of the newer release.',
        )
      }
      const { upgrade } = await import('#program/releases/upgrade.ts')
      const version = await upgrade({
        file,
        sum: options.sum,
        executable,
        backUp: () => backUp(setting, options),
      })
      shell.out(
        `${executable} is now version ${version}. A running server stays on ${parleyVersion} until ` +
          'it is restarted, for example with "systemctl restart parley".\n',
      )
    })
}

async function askForRelease({ shell }: Setting): Promise<string> {
  const config = readConfig(shell.env)
  if (config.releasesUrl === null) {
    throw badRequest(
      'Name the archive of a release, or set PARLEY_RELEASES_URL to the list of releases.',
    )
  }
  const found = await findNewerRelease({ config, clock: systemClock }, config.releasesUrl)
  if (!found) return `${parleyVersion} is the newest version.\n`
  const where = found.url === null ? '' : `: ${found.url}`
  return `Version ${found.version} was released${where}. This is ${parleyVersion}.\n`
}

/** @throws BAD_REQUEST the backup failed */
async function backUp(setting: Setting, { data, backup }: Options): Promise<void> {
  if (backup === false || !existsSync(databaseIn(data))) return
  const time = new Date(systemClock.now()).toISOString().slice(0, 19).replaceAll(':', '-')
  const name = `version-${parleyVersion}-${time}.tar.gz`
  const to =
    typeof backup === 'string' ? resolve(backup) : join(resolve(data), 'before-upgrade', name)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const { output, failed } = await outcomeOf(setting, data, 'backup', { to })
  setting.shell.out(output)
  if (failed) throw badRequest('Nothing was replaced, because the backup is not complete.')
}
