import { sqliteVersion } from '#platform/store/scratch.ts'
import { featureLevel, parleyVersion } from '#platform/version.ts'

/** What `parley --version` prints. */
export function versions(): string {
  return [
    `Parley ${parleyVersion}`,
    `Zulip feature level ${featureLevel}`,
    `SQLite ${sqliteVersion()}`,
    `Node ${process.versions.node} for ${process.platform}-${process.arch}`,
    '',
  ].join('\n')
}
