import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { freePort } from '#test/support/free-port.ts'
import { environment } from '../processes.ts'
import { domain, password, streamHeader } from './xmpp.ts'

/** Another server as Debian packages it. */
export interface Peer {
  readonly name: string
  /** The packages that it takes. */
  readonly packages: string
  /** Whether they are installed. */
  isInstalled(): boolean
  /** Starts it on a folder, whose contents it keeps. */
  start(folder: string): Promise<RunningPeer>
  /** Adds accounts to the folder of one that runs, all with the password of all. */
  addAccounts(folder: string, names: readonly string[]): void
}

export interface RunningPeer {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number
  /** Ends it as a power cut would, as far as a process can tell. */
  kill(): Promise<void>
}

/** Both archive rooms in SQLite, and have each commit on disk before they go on. */
export const peers: readonly Peer[] = [
  {
    name: 'ejabberd',
    packages: 'ejabberd erlang-p1-sqlite3',
    isInstalled: () =>
      ejabberdCode().length > 0 && globSync('/usr/lib/erlang/lib/p1_sqlite3-*').length > 0,
    async start(folder) {
      const port = await freePort()
      mkdirSync(join(folder, 'spool'), { recursive: true })
      const file = join(folder, 'ejabberd.yml')
      writeFileSync(file, ejabberdConfig(port, folder))
      const code = ejabberdCode().flatMap((path) => ['-pa', path])
      const args = ['-noinput', ...code]
      const settings = ['-mnesia', 'dir', `"${folder}/spool"`, '-s', 'ejabberd']
      return await startPeer(port, 'erl', [...args, ...settings], {
        EJABBERD_CONFIG_PATH: file,
        EJABBERD_LOG_PATH: join(folder, 'ejabberd.log'),
        HOME: folder,
      })
    },
    addAccounts(folder, names) {
      const database = new Database(join(folder, 'ejabberd.db'))
      const insert = database.prepare('INSERT INTO users (username, password) VALUES (?, ?)')
      database.transaction(() => {
        for (const name of names) insert.run(name, password)
      })()
      database.close()
    },
  },
  {
    name: 'Prosody',
    packages: 'prosody lua-dbi-sqlite3',
    isInstalled: () =>
      existsSync('/usr/bin/prosody') && globSync('/usr/lib/*/lua/*/dbd/sqlite3.so').length > 0,
    async start(folder) {
      const port = await freePort()
      mkdirSync(folder, { recursive: true })
      const file = join(folder, 'prosody.cfg.lua')
      writeFileSync(file, prosodyConfig(port, folder))
      return await startPeer(port, 'prosody', ['--config', file, '-F'], {})
    },
    addAccounts(folder, names) {
      const accounts = join(folder, domain, 'accounts')
      mkdirSync(accounts, { recursive: true })
      for (const name of names) {
        writeFileSync(join(accounts, `${name}.dat`), `return { password = "${password}" }`)
      }
    },
  },
]

function ejabberdCode(): string[] {
  return globSync('/usr/lib/*/{ejabberd-*,erlang-*,erlang/lib/*}/ebin').concat(
    globSync('/usr/share/ejabberd/ebin'),
  )
}

const longestStartMs = 60_000
/** How long it takes until a server that is starting is asked again, in milliseconds. */
const retryMs = 1

async function startPeer(
  port: number,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningPeer> {
  const began = performance.now()
  const child = spawn(program, args, { stdio: 'ignore', env: { ...environment, ...env } })
  const exited = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - began > longestStartMs) {
      child.kill('SIGKILL')
      throw new Error(`${program} ${args.join(' ')} does not answer.`)
    }
    await sleep(retryMs)
  }
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - began,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** A port may take connections long before a server answers there. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(streamHeader)
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

/** Nobody hears who comes and goes: of 1 000 people in a room, that would be a million stanzas. */
function ejabberdConfig(port: number, folder: string): string {
  return `
hosts: [${domain}]
loglevel: error
language: en
default_db: sql
sql_type: sqlite
sql_database: ${folder}/ejabberd.db
auth_method: sql
auth_use_cache: true
shaper: {}
listen:
  - port: ${port}
    ip: "127.0.0.1"
    module: ejabberd_c2s
    starttls: false
    max_stanza_size: 262144
    access: all
access_rules:
  muc_create: {allow: all}
modules:
  mod_mam:
    assume_mam_usage: true
    default: never
    cache_size: 1000
  mod_muc:
    host: conference.${domain}
    access: all
    access_create: muc_create
    access_mam: all
    max_users: 5000
    max_user_conferences: 100
    min_message_interval: 0
    history_size: 0
    default_room_options:
      persistent: true
      mam: true
      max_users: 5000
      presence_broadcast: []
`
}

function prosodyConfig(port: number, folder: string): string {
  return `
run_as_root = true
daemonize = false
data_path = "${folder}"
pidfile = "${folder}/prosody.pid"
log = { error = "${folder}/prosody.log" }
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
c2s_direct_tls_ports = {}
s2s_ports = {}
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
limits = {}
default_storage = "sql"
storage = { accounts = "internal" }
sql = { driver = "SQLite3", database = "${folder}/prosody.sqlite" }
sqlite_tune = "safe"
network_backend = "epoll"
modules_enabled = { "saslauth"; "presence"; "message"; "iq"; "roster" }
modules_disabled = { "s2s"; "offline"; "http"; "tls" }
VirtualHost "${domain}"
Component "conference.${domain}" "muc"
  modules_enabled = { "muc_mam" }
  muc_room_locking = false
  muc_room_default_persistent = true
  muc_room_default_presence_broadcast = { visitor = false, participant = false, moderator = false }
  muc_log_by_default = true
  muc_log_all_rooms = true
  max_archive_query_results = 500
  archive_expires_after = "never"
`
}
