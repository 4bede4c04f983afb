import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'

/** A call that the service got, whatever it answered. */
export interface ServiceCall {
  readonly path: string
  readonly params: Record<string, unknown>
}

/** A notification that it took. */
export interface PhoneNotice {
  readonly user_id: number
  readonly gcm_payload: Record<string, string>
  readonly apns_payload: {
    readonly alert?: { title: string; subtitle: string; body: string }
    readonly custom: { readonly zulip: Record<string, unknown> }
  }
  readonly gcm_options: { readonly priority: string }
  readonly android_devices: readonly string[]
  readonly apple_devices: readonly string[]
}

/** A push service for phones on this machine, with the rules of the real one. */
export interface PhonePushService {
  /** With the credentials of a registered server. */
  readonly url: string
  readonly origin: string
  /** The tokens that it knows. */
  readonly tokens: Set<string>
  /** How many accounts an organization may have without a plan. */
  mostAccounts: number
  /** Tokens that phones have given back: it tells of them once. */
  readonly returned: Set<string>
  /** All calls; takes them away. */
  calls(): ServiceCall[]
  notices(): PhoneNotice[]
  /** What it answers to everything from now on; undefined: as it should. */
  breaks(how: { status: number; body: object | string } | undefined): void
  /** Forgets the organization, or the server itself. */
  forget(what: 'realm' | 'server'): void
  close(): Promise<void>
}

class Refusal extends Error {
  readonly code: string
  readonly status: number
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const bad = (message: string) => new Refusal(400, 'BAD_REQUEST', message)

interface Row {
  readonly id: number
  readonly event_type: number
  readonly event_time: number
  readonly extra_data: { readonly 10: { readonly 11: Record<string, number> } }
}

export async function startPhonePushService(): Promise<PhonePushService> {
  const servers = new Map<string, string>([['an-id', 'a/key']])
  const realms = new Map<string, { secret: string; rows: Row[] }>()
  const tokens = new Set<string>()
  const returned = new Set<string>()
  let calls: ServiceCall[] = []
  let notices: PhoneNotice[] = []
  let broken: { status: number; body: object | string } | undefined

  function answer(path: string, server: string | undefined, p: Record<string, unknown>): object {
    if (path === '/server/register') return registerServer(p)
    if (server === undefined) throw new Refusal(401, 'INVALID_ZULIP_SERVER', 'Unknown server.')
    switch (path) {
      case '/server/analytics/status': {
        requireMembers(p, [])
        const ids = [...realms.values()].flatMap(({ rows }) => rows.map(({ id }) => id))
        return {
          last_realm_count_id: 0,
          last_installation_count_id: 0,
          last_realmauditlog_id: Math.max(0, ...ids),
        }
      }
      case '/server/analytics':
        return upload(p)
      case '/push/register': {
        requireMembers(
          p,
          ['user_id', 'user_uuid', 'realm_uuid', 'token', 'token_kind'],
          ['ios_app_id'],
        )
        assert.equal(p.ios_app_id !== undefined, p.token_kind === '1')
        tokens.add(String(p.token))
        return {}
      }
      case '/push/unregister': {
        requireMembers(p, ['user_id', 'user_uuid', 'realm_uuid', 'token', 'token_kind'])
        if (!tokens.delete(String(p.token))) throw bad('Token does not exist')
        return {}
      }
      case '/push/notify':
        return notify(p)
      case '/push/test_notification': {
        requireMembers(p, [
          'user_id',
          'user_uuid',
          'realm_uuid',
          'token',
          'token_kind',
          'base_payload',
        ])
        if (!tokens.has(String(p.token))) {
          throw new Refusal(400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Unknown device.')
        }
        return {}
      }
      default:
        throw new Refusal(404, 'NOT_FOUND', `No ${path}`)
    }
  }

  function registerServer(p: Record<string, unknown>): object {
    requireMembers(p, ['zulip_org_id', 'zulip_org_key', 'hostname', 'contact_email'])
    if (p.hostname === 'taken.example.com') {
      throw new Refusal(400, 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR', 'The name is in use.')
    }
    assert.match(
      String(p.zulip_org_id),
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.match(String(p.zulip_org_key), /^[A-Za-z0-9]{64}$/)
    servers.set(String(p.zulip_org_id), String(p.zulip_org_key))
    return { created: true }
  }

  function upload(form: Record<string, unknown>): object {
    const names = ['realm_counts', 'installation_counts', 'realmauditlog_rows', 'realms']
    requireMembers(form, [...names, 'version', 'merge_base', 'api_feature_level'])
    const p = Object.fromEntries(
      Object.entries(form).map(([name, value]) => [name, JSON.parse(String(value))]),
    )
    const verdicts: Record<string, object> = {}
    for (const realm of p.realms) {
      requireMembers(
        realm,
        'id host url name org_type date_created deactivated is_system_bot_realm authentication_methods uuid uuid_owner_secret'.split(
          ' ',
        ),
      )
      assert.match(realm.uuid_owner_secret, /^zuliprealm_.{20}/)
      const rows: Row[] = []
      const known = realms.get(realm.uuid) ?? { secret: String(realm.uuid_owner_secret), rows }
      if (known.secret !== realm.uuid_owner_secret) throw bad('Another server owns the realm.')
      for (const row of p.realmauditlog_rows as Row[]) {
        requireMembers({ ...row }, [
          'id',
          'realm',
          'event_time',
          'backfilled',
          'extra_data',
          'event_type',
        ])
        if (row.id <= (known.rows.at(-1)?.id ?? 0)) throw bad('Data is out of order.')
        known.rows.push(row)
      }
      realms.set(realm.uuid, known)
      const counts = Object.values(known.rows.at(-1)?.extra_data[10][11] ?? {})
      const people = counts.reduce((sum, count) => sum + count, 0)
      verdicts[realm.uuid] = {
        can_push: people <= service.mostAccounts,
        expected_end_timestamp: null,
      }
    }
    return { realms: verdicts }
  }

  function notify(p: Record<string, unknown>): object {
    requireMembers(
      p,
      'user_id user_uuid realm_uuid gcm_payload apns_payload gcm_options android_devices apple_devices'.split(
        ' ',
      ),
    )
    if (!realms.has(String(p.realm_uuid))) {
      throw new Refusal(403, 'MISSING_REMOTE_REALM', 'Organization not registered')
    }
    const notice = p as unknown as PhoneNotice
    assert.ok(['high', 'normal'].includes(notice.gcm_options.priority))
    assert.ok(Object.values(notice.gcm_payload).every((value) => typeof value === 'string'))
    notices.push(notice)
    const gone = (list: readonly string[]) => list.filter((token) => returned.delete(token))
    return {
      total_android_devices: notice.android_devices.length,
      total_apple_devices: notice.apple_devices.length,
      deleted_devices: {
        android_devices: gone(notice.android_devices),
        apple_devices: gone(notice.apple_devices),
      },
      realm: { can_push: true, expected_end_timestamp: null },
    }
  }

  const http = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = (request.url ?? '').replace('/api/v1/remotes', '')
    const params = paramsOf(request, Buffer.concat(parts).toString())
    calls.push({ path, params })
    const say = (status: number, body: object | string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (broken) return say(broken.status, broken.body)
    try {
      say(200, { result: 'success', msg: '', ...answer(path, serverOf(request), params) })
    } catch (error) {
      const refusal = error instanceof Refusal ? error : bad(String(error))
      say(refusal.status, { result: 'error', msg: refusal.message, code: refusal.code })
    }
  })

  function serverOf({ headers }: IncomingMessage): string | undefined {
    const [, encoded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
    const [id = '', key] = Buffer.from(encoded, 'base64').toString().split(':')
    return servers.get(id) === key ? id : undefined
  }

  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
  const { port } = http.address() as { port: number }
  const service: PhonePushService = {
    url: `http://an-id:a%2Fkey@127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    tokens,
    returned,
    mostAccounts: 100,
    calls() {
      const all = calls
      calls = []
      return all
    },
    notices() {
      const all = notices
      notices = []
      return all
    },
    breaks(how) {
      broken = how
    },
    forget(what) {
      if (what === 'realm') realms.clear()
      else servers.clear()
    },
    close: () =>
      new Promise<void>((done) => {
        http.closeAllConnections()
        http.close(() => done())
      }),
  }
  return service
}

function paramsOf({ headers }: IncomingMessage, body: string): Record<string, unknown> {
  if (body === '') return {}
  return headers['content-type']?.includes('json')
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body))
}

/** Refuses what is missing, and what the service does not know. */
function requireMembers(
  params: Record<string, unknown>,
  needed: readonly string[],
  optional: readonly string[] = [],
): void {
  const names = Object.keys(params)
  for (const name of needed) if (!names.includes(name)) throw bad(`Missing '${name}' argument`)
  const unknown = names.find((name) => !needed.includes(name) && !optional.includes(name))
  if (unknown !== undefined) throw bad(`Invalid argument '${unknown}'`)
}
