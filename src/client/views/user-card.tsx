import {
  AtSign,
  Bot,
  Clock,
  Copy,
  ExternalLink,
  MessageCircle,
  MoreHorizontal,
  Search,
} from 'lucide'
import { useRef } from 'preact/hooks'
import { copy } from '#client/actions/message-actions.ts'
import { openPersonMenu } from '#client/actions/person-menu.tsx'
import type { App } from '#client/app.ts'
import type { User } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { timeInZone } from '#client/ui/dates.ts'
import { Icon } from '#client/ui/icon.tsx'
import type { Box } from '#client/ui/place.ts'
import { Popover } from '#client/ui/popover.tsx'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'
import { ServerHtml } from './message-body.tsx'
import { PresenceDot, presenceText } from './presence.tsx'
import { EmojiGlyph } from './reactions.tsx'

interface UserCardProps {
  readonly userId: number
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** Who somebody is, and how to reach them. */
export function UserCard({ userId, anchor, onClose }: UserCardProps) {
  const app = useApp()
  const more = useRef<HTMLSpanElement>(null)
  const user = app.store.users.get(userId)
  if (!user) return null
  const { selfId } = app.store
  const settings = app.store.settings.value
  const status = app.store.statuses.get(userId)
  const localTime = user.timezone && timeInZone(Date.now() / 1000, user.timezone, settings)
  const go = (target: Parameters<App['router']['go']>[0]) => {
    onClose()
    app.router.go(target)
  }
  return (
    <Popover anchor={anchor} placement="right" label={user.name} class="card" onClose={onClose}>
      <div class="card-head">
        <Avatar user={user} size={64} />
        <div class="card-title">
          <h2 class="card-name">
            {user.name}
            {user.isBot && <Icon node={Bot} size={16} label={t('Bot')} />}
          </h2>
          <p class="card-role">{user.isActive ? roleText(user) : t('Deactivated account')}</p>
          {user.isActive && !user.isBot && (
            <p class="card-presence">
              <PresenceDot userId={userId} /> {presenceText(app, userId)}
            </p>
          )}
        </div>
      </div>
      {status && (status.text || status.emojiName) && (
        <p class="card-status" dir="auto">
          {status.emojiCode && (
            <EmojiGlyph
              emoji={{
                name: status.emojiName,
                code: status.emojiCode,
                type: status.reactionType,
              }}
            />
          )}
          <span>{status.text}</span>
        </p>
      )}
      <dl class="card-facts">
        {localTime && (
          <div class="card-fact">
            <dt>
              <Icon node={Clock} size={15} label={t('Local time')} />
            </dt>
            <dd>{t('{time} local time', { time: localTime })}</dd>
          </div>
        )}
        {user.deliveryEmail && (
          <div class="card-fact">
            <dt>
              <Icon node={AtSign} size={15} label={t('Email')} />
            </dt>
            <dd class="ellipsis">
              <a href={`mailto:${user.deliveryEmail}`}>{user.deliveryEmail}</a>
            </dd>
            <IconButton
              label={t('Copy the email address')}
              icon={Copy}
              size={14}
              onClick={() => void copy(app, user.deliveryEmail ?? '', t('Email address copied.'))}
            />
          </div>
        )}
        {user.ownerId !== null && (
          <div class="card-fact">
            <dt class="card-label">{t('Owner')}</dt>
            <dd>{app.store.users.get(user.ownerId)?.name}</dd>
          </div>
        )}
        <ProfileFields user={user} />
      </dl>
      <div class="card-foot">
        <Button
          kind="primary"
          icon={MessageCircle}
          onClick={() => {
            go({ kind: 'messages', narrow: { kind: 'direct', userIds: [userId] } })
            app.compose.open({ kind: 'direct', userIds: [userId] })
          }}
        >
          {userId === selfId ? t('Note to self') : t('Message')}
        </Button>
        <Button
          icon={Search}
          onClick={() =>
            go({
              kind: 'messages',
              narrow: {
                kind: 'search',
                terms: [{ operator: 'sender', operand: userId, negated: false }],
              },
            })
          }
        >
          {userId === selfId ? t('Your messages') : t('Their messages')}
        </Button>
        <span ref={more}>
          <IconButton
            label={t('More actions')}
            icon={MoreHorizontal}
            aria-haspopup="menu"
            onClick={() => {
              const box = more.current?.getBoundingClientRect()
              if (!box) return
              onClose()
              openPersonMenu(app, userId, box)
            }}
          />
        </span>
      </div>
    </Popover>
  )
}

/** The organization's own fields, as far as this person filled them in. */
function ProfileFields({ user }: { readonly user: User }) {
  const app = useApp()
  const { custom_profile_fields: fields, custom_profile_field_types: types } = app.store.realm.value
  return (
    <>
      {fields.map((field) => {
        const value = user.profile[field.id]
        if (!value?.value) return null
        return (
          <div key={field.id} class="card-fact">
            <dt class="card-label">{field.name}</dt>
            <dd dir="auto">
              {value.rendered ? (
                <ServerHtml html={value.rendered} />
              ) : (
                fieldText(app, field, value.value, types)
              )}
            </dd>
          </div>
        )
      })}
    </>
  )
}

interface Field {
  readonly type: number
  readonly field_data?: string | undefined
}

function fieldText(
  app: App,
  { type, field_data }: Field,
  value: string,
  types: Readonly<Record<string, { readonly id: number }>>,
) {
  switch (type) {
    case types.USER?.id:
      return userNames(app, value)
    case types.SELECT?.id:
      return choiceText(field_data, value)
    case types.URL?.id:
      return /^https?:/i.test(value) ? (
        <a href={value} target="_blank" rel="noopener noreferrer">
          {value} <Icon node={ExternalLink} size={12} />
        </a>
      ) : (
        value
      )
    case types.DATE?.id:
      return new Date(`${value}T12:00:00`).toLocaleDateString()
    default:
      return value
  }
}

function userNames(app: App, value: string): string {
  const ids = parseJson(value)
  if (!Array.isArray(ids)) return ''
  return ids.map((id) => app.store.users.get(Number(id))?.name ?? '').join(', ')
}

function choiceText(data: string | undefined, value: string): string {
  const choices = parseJson(data ?? '{}') as Record<string, { text?: string } | undefined>
  return choices[value]?.text ?? value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** What somebody may do, in a word. */
export function roleText({ role, isBot }: User): string {
  if (isBot) return t('Bot')
  switch (role) {
    case 100:
      return t('Owner')
    case 200:
      return t('Administrator')
    case 300:
      return t('Moderator')
    case 600:
      return t('Guest')
    default:
      return t('Member')
  }
}
