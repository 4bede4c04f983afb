import { confirmationShape } from '#features/foundation/sessions/confirmation.params.ts'
import * as shape from '#platform/shape.ts'

/** A backup that an owner made in the browser. */
const serverBackupShape = shape.named('ServerBackup', {
  name: shape.noted(
    shape.string,
    'The name of the file; `POST /server/backups/{name}/download` returns its address.',
  ),
  bytes: shape.integer,
  made_at: shape.noted(shape.integer, 'In seconds since the epoch.'),
})

/** The data about the server for owners, if its operator allows it. */
export const serverStatusMembers = {
  version: shape.noted(shape.string, 'The version of Parley.'),
  newer_release: shape.noted(
    shape.nullable(
      shape.named('NewerRelease', {
        version: shape.string,
        url: shape.noted(shape.nullable(shape.string), 'A web page about it.'),
      }),
    ),
    'The newest release of Parley, if it is newer than the server and the operator has turned on checks for releases.',
  ),
  asks_for_releases: shape.noted(shape.boolean, 'Whether the server checks for newer releases.'),
  zulip_version: shape.string,
  started_at: shape.noted(shape.integer, 'In seconds since the epoch.'),
  health: shape.noted(
    shape.list(
      shape.named('HealthResult', {
        name: shape.string,
        problem: shape.noted(shape.nullable(shape.string), 'Null: no problem.'),
      }),
    ),
    'What `GET /health` checks.',
  ),
  storage: shape.noted(
    shape.list(
      shape.named('StorageUse', {
        use: shape.choice('database', 'uploads', 'pictures', 'exports', 'backups'),
        bytes: shape.integer,
      }),
    ),
    'The sizes of the parts of the data folder. `pictures` are images made by the server: thumbnails, avatars, emoji, logos. Sizes are determined at most every ten minutes.',
  ),
  free_bytes: shape.noted(
    shape.nullable(shape.integer),
    'Free space on the disk of the data folder; null: the data is in memory.',
  ),
  confirmation: confirmationShape,
  mail_configured: shape.boolean,
  can_back_up: shape.noted(shape.boolean, 'False where the data is in memory.'),
  backups: shape.noted(
    shape.list(serverBackupShape),
    'The backups that owners made in the browser, newest first.',
  ),
  most_backups: shape.noted(shape.integer, 'The maximum number of them.'),
  backup_running: shape.noted(shape.boolean, 'Whether one of them is being made.'),
  backup_problem: shape.noted(
    shape.nullable(shape.string),
    'Why the last of them failed, or what is missing from it, since the start of the server; or that the server stopped while making it.',
  ),
  regular_backups: shape.noted(
    shape.nullable(
      shape.named('RegularBackups', {
        hours: shape.noted(shape.integer, 'The time between two backups, in hours.'),
        keep: shape.integer,
        succeeded_at: shape.nullable(shape.integer),
        bytes: shape.nullable(shape.integer),
        problem: shape.noted(shape.nullable(shape.string), 'The time of the last attempt.'),
      }),
    ),
    'The regular backups that the operator has configured; null: none.',
  ),
}

/** The event has no data: clients fetch `GET /server/status` again. */
export const operatingEventShapes = [shape.event('ServerBackupsEvent', 'server_backups', {})]
