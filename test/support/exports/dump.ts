import type { Imported } from './importing.ts'

type Row = Record<string, unknown>

/**
 * What an import has made, as text to compare: without what is random, and without IDs, by which
 * everything is sorted.
 */
export function dumpOf({ report, rows }: Imported): string {
  const lines = [
    `${report.title}: ${report.organization}`,
    '',
    ...rows(`SELECT u.full_name AS name, u.email, u.role, u.is_active AS active, u.bot_type AS bot
      FROM users u WHERE NOT u.is_system_bot ORDER BY u.id`).map(
      ({ active, bot, email, name, role }) =>
        `${bot === null ? 'person' : 'bot'} ${name} <${email}> ${role}${active ? '' : ' inactive'}`,
    ),
    ...rows(`SELECT u.full_name AS name, f.name AS field, v.value FROM profile_values v
      JOIN users u ON u.id = v.user_id JOIN profile_fields f ON f.id = v.field_id
      ORDER BY u.id, f.id`).map(({ field, name, value }) => `profile ${name}: ${field} = ${value}`),
    ...rows(`SELECT g.name, (SELECT group_concat(u.full_name, ', ') FROM group_members m
      JOIN users u ON u.id = m.user_id WHERE m.group_id = g.id) AS members
      FROM user_groups g WHERE NOT g.is_system AND g.name IS NOT NULL ORDER BY g.id`).map(
      ({ members, name }) => `group ${name}: ${members}`,
    ),
    ...rows('SELECT name, deactivated FROM realm_emoji ORDER BY id').map(
      ({ name }) => `emoji ${name}`,
    ),
    '',
    ...rows(`SELECT c.name, c.is_private, c.is_archived, c.is_default, c.description,
      (SELECT name FROM channel_folders f WHERE f.id = c.folder_id) AS folder
      FROM channels c ORDER BY c.id`).flatMap((channel) => [
      channelLine(channel),
      ...rows(
        `SELECT u.full_name AS name, s.is_muted AS muted, s.desktop_notifications AS desktop
         FROM subscriptions s JOIN users u ON u.id = s.user_id
         JOIN channels c ON c.id = s.channel_id WHERE c.name = ? ORDER BY u.id`,
        channel.name,
      ).map(
        ({ desktop, muted, name }) =>
          `  ${name}${muted ? ' muted' : ''}${desktop === null ? '' : ` desktop=${desktop}`}`,
      ),
    ]),
    '',
    ...messages(rows),
    '',
    ...Object.entries(report.tables).flatMap(([table, { changed, imported, skipped }]) => [
      `${table}: ${imported}`,
      ...reasons('changed', changed),
      ...reasons('skipped', skipped),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function channelLine({ description, folder, is_archived, is_default, is_private, name }: Row) {
  const kinds = [
    is_private && 'private',
    is_archived && 'archived',
    is_default && 'default',
    folder !== null && `in ${folder}`,
  ].filter(Boolean)
  return `channel ${[name, ...kinds].join(', ')}: ${description}`
}

function messages(rows: Imported['rows']): string[] {
  const all = rows(`SELECT m.id, u.full_name AS sender, m.sent_at AS time, m.topic, m.content,
      c.name AS channel, m.recipient_id AS recipient, m.last_edit_at AS edited
    FROM messages m JOIN users u ON u.id = m.sender_id JOIN recipients r ON r.id = m.recipient_id
    LEFT JOIN channels c ON c.id = r.channel_id ORDER BY m.id`)
  return all.flatMap(({ channel, content, edited, id, recipient, sender, time, topic }) => {
    const members = rows(
      `SELECT u.full_name AS name FROM direct_members d JOIN users u ON u.id = d.user_id
       WHERE d.recipient_id = ? ORDER BY u.id`,
      recipient,
    ).map(({ name }) => name)
    const place = channel === null ? `to ${members.join(', ')}` : `#${channel} > ${topic}`
    const reactions = rows(
      `SELECT r.emoji_name AS emoji, group_concat(u.full_name, ', ') AS people FROM reactions r
       JOIN users u ON u.id = r.user_id WHERE r.message_id = ? GROUP BY emoji_name ORDER BY 1`,
      id,
    ).map(({ emoji, people }) => `  + ${emoji}: ${people}`)
    const flags = rows(
      `SELECT u.full_name AS name, f.flags FROM message_flags f JOIN users u ON u.id = f.user_id
       WHERE f.message_id = ? ORDER BY u.id`,
      id,
    ).map((each) => `  ! ${each.name}: ${each.flags}`)
    const files = rows(
      `SELECT a.name, a.size FROM attachment_claims k JOIN attachments a ON a.id = k.attachment_id
       WHERE k.message_id = ? ORDER BY a.id`,
      id,
    ).map(({ name, size }) => `  = ${name}, ${size} bytes`)
    const text = String(content)
      .replace(/\/user_uploads\/[^)]*\/([^/)]+)\)/g, '/user_uploads/…/$1)')
      .replace(/\n/g, '\n  | ')
    return [
      `${id} ${new Date(Number(time) * 1000).toISOString().slice(0, 19)} ${sender} ${place}${edited === null ? '' : ' (edited)'}`,
      `  | ${text}`,
      ...files,
      ...reactions,
      ...flags,
    ]
  })
}

const reasons = (
  kind: string,
  found: Readonly<Record<string, { count: number; examples: string[] }>>,
) =>
  Object.entries(found).map(
    ([reason, { count, examples }]) => `  ${kind} ${reason} ${count}: ${examples.join('; ')}`,
  )
