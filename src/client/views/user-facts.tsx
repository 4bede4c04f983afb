import { AtSign, Clock, Copy, ExternalLink } from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { copy } from '#client/commands/copy.ts'
import { ServerHtml } from '#client/messages/message-body.tsx'
import { StatusEmoji } from '#client/messages/reactions.tsx'
import type { User } from '#client/state/model.ts'
import { userName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { formatTime, shortText, timeInZone } from '#client/ui/dates.ts'
import { Icon, pointing } from '#client/ui/icon.tsx'
import { serverNow } from '#client/ui/server-time.ts'
import { listText, t } from '#client/ui/t.ts'

const elsewhereIcon = pointing(ExternalLink)

/** What someone says of what they do now; nothing where they say nothing. */
export function StatusLine({ userId }: { readonly userId: number }) {
  const { statuses, settings } = useApp().store
  const status = statuses.get(userId)
  if (!status || !(status.text || status.emojiName)) return null
  return (
    <p class="card-status" dir="auto">
      <StatusEmoji userId={userId} />
      <span>{status.text}</span>
      {status.endsAt !== null && (
        <small class="card-until">
          {t('until {when}', { when: shortText(status.endsAt, settings.value) })}
        </small>
      )}
    </p>
  )
}

/** How to reach someone, and what their profile says. */
export function UserFacts({ user }: { readonly user: User }) {
  const app = useApp()
  const { settings } = app.store
  const localTime = user.timezone && timeInZone(serverNow(), user.timezone, settings.value)
  return (
    <dl class="stack tight card-facts">
      {localTime && (
        <div class="row card-fact">
          <dt>
            <Icon node={Clock} size={15} label={t('Local time')} />
          </dt>
          <dd>{t('{time} local time', { time: localTime })}</dd>
        </div>
      )}
      {user.deliveryEmail && (
        <div class="row card-fact">
          <dt>
            <Icon node={AtSign} size={15} label={t('Email')} />
          </dt>
          <dd class="row card-address">
            <a class="ellipsis" href={`mailto:${user.deliveryEmail}`}>
              {user.deliveryEmail}
            </a>
            <IconButton
              label={t('Copy the email address')}
              icon={Copy}
              size={14}
              onClick={() => void copy(app, user.deliveryEmail ?? '', t('Email address copied.'))}
            />
          </dd>
        </div>
      )}
      {user.ownerId !== null && (
        <div class="row card-fact">
          <dt class="card-label">{t('Owner')}</dt>
          <dd>{userName(user.ownerId, app.store)}</dd>
        </div>
      )}
      <ProfileFields user={user} />
    </dl>
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
          <div key={field.id} class="row card-fact">
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
        <a class="row tight card-elsewhere" href={value} target="_blank" rel="noopener noreferrer">
          {value} <Icon node={elsewhereIcon} size={12} />
        </a>
      ) : (
        value
      )
    case types.DATE?.id:
      return formatTime(Date.parse(`${value}T12:00:00`) / 1000)
    default:
      return value
  }
}

function userNames(app: App, value: string): string {
  const ids = parseJson(value)
  if (!Array.isArray(ids)) return ''
  return listText(
    ids.map((id) => app.store.users.get(Number(id))?.name ?? ''),
    'narrow',
  )
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
