import { emailVisibility } from '#features/foundation/users/addresses.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { userSettings } from '#features/foundation/users/settings.queries.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import { cut, isAddress, userSettingColumns, withoutNul } from './format.ts'
import { settingColumns } from './organization.queries.ts'
import type { Plan } from './plan.queries.ts'
import { numbered, type Row, type Rows } from './tables.queries.ts'

interface BotOptionsRow {
  readonly userId: number
  readonly sendsTo: number | null
  readonly hearsFrom: number | null
  readonly config: string
}

const botOptions = preparedSql<BotOptionsRow>(`
  SELECT user_id AS userId, sending_channel_id AS sendsTo, events_channel_id AS hearsFrom, config
  FROM bot_options ORDER BY user_id`)

/** The address for a person whose own Zulip refuses, which nobody else has. */
function addressOf({ host, notes, read, selection }: Plan, user: User): string {
  const email = user.email.toLowerCase()
  // An export that people consent to tells no owner an address that they hide from everyone.
  const isHidden =
    user.botType === null &&
    !selection.hasPrivateDataOf(user.id) &&
    emailVisibility(read, user.id) === 'nobody'
  if (isAddress(email) && !isHidden) return email
  notes.lost(isHidden ? 'hidden' : 'address', `user ${user.id}`)
  return `user${user.id}@${host}`
}

/** @param newest the ID of the newest message in the export; undefined: it has none */
export function* users(plan: Plan, newest: number | undefined): Generator<Row> {
  const { channels, people, read, release, selection } = plan
  const options = new Map(
    botOptions(read)
      .all({})
      .map((row) => [row.userId, row]),
  )
  const channel = (id: number | null | undefined) => (id && channels.has(id) ? id : null)
  for (const user of people) {
    const own = options.get(user.id)
    const email = addressOf(plan, user)
    const isIdle = plan.idle.has(user.id) && newest !== undefined
    yield {
      id: user.id,
      realm: 1,
      email: isAddress(user.apiEmail) ? user.apiEmail : email,
      delivery_email: email,
      full_name: cut(user.fullName, 100),
      role: user.role,
      is_active: user.isActive,
      is_bot: user.botType !== null,
      bot_type: user.botType,
      bot_owner: user.botOwnerId,
      default_sending_stream: channel(own?.sendsTo),
      default_events_register_stream: channel(own?.hearsFrom),
      // When they come back, Zulip makes them rows of the messages after this one.
      last_active_message_id: isIdle ? newest : null,
      date_joined: user.dateJoined,
      last_login: null,
      last_reminder: null,
      is_mirror_dummy: false,
      long_term_idle: isIdle,
      avatar_source: user.avatarHash === null ? 'G' : 'U',
      avatar_version: user.avatarVersion,
      timezone: user.timezone,
      user_permissions: [],
      groups: [],
      ...(release >= 12 && {
        is_staff: false,
        is_superuser: false,
        can_forge_sender: false,
        can_create_users: false,
        can_change_user_emails: false,
        is_imported_stub: false,
      }),
      ...(selection.hasPrivateDataOf(user.id) && ownSettings(plan, user)),
    }
  }
}

function ownSettings({ read, release }: Plan, user: User): Row {
  const settings = userSettings(read, user.id)
  return settingColumns(release, userSettingColumns, (name) => settings[name])
}

export const systemBots: Rows = function* systemBots({ bots, persons }) {
  for (const [name, { id }] of bots) {
    yield { id, email: `${name}@zulip.com`, recipient_id: persons.get(id)?.id ?? null }
  }
}

const services = preparedSql<{ userId: number; baseUrl: string; interface: number }>(`
  SELECT user_id AS userId, base_url AS baseUrl, interface FROM bot_services ORDER BY user_id`)

export const botServices: Rows = (plan) =>
  numbered(
    services(plan.read)
      .all({})
      .flatMap(({ baseUrl, interface: form, userId }) => {
        const bot = plan.users.get(userId)
        if (!bot || !plan.selection.hasPrivateDataOf(userId)) return []
        // Zulip makes a token of its own.
        return [
          {
            name: cut(bot.fullName, 100),
            user_profile: userId,
            base_url: baseUrl,
            interface: form,
            token: '',
          },
        ]
      }),
  )

export const botConfig: Rows = (plan) =>
  numbered(
    botOptions(plan.read)
      .all({})
      .filter(({ userId }) => plan.selection.hasPrivateDataOf(userId))
      .flatMap(({ config, userId }) =>
        Object.entries(JSON.parse(config) as Record<string, string>).map(([key, value]) => ({
          bot_profile: userId,
          key,
          value,
        })),
      ),
  )

const storage = preparedSql<{ userId: number; key: string; value: string }>(
  'SELECT user_id AS userId, key, value FROM bot_storage ORDER BY user_id, key',
)

export const botStorage: Rows = (plan) =>
  numbered(
    storage(plan.read)
      .all({})
      .filter(({ userId }) => plan.selection.hasPrivateDataOf(userId))
      .map(({ key, userId, value }) => ({ bot_profile: userId, key, value: withoutNul(value) })),
  )
