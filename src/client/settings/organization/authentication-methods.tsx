import { Check, X } from 'lucide'
import type { ExternalMethod } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { useFetched } from '#client/commands/use-fetched.ts'
import { RealmSettingGroups } from '#client/settings/setting.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { listText, t } from '#client/ui/t.ts'
import { type Text, texts } from '#translations/translate.ts'

const openIdConnect = 'OpenID Connect'

/**
 * The labels of this server's own authentication methods; others have the server's name for them.
 */
const names: Readonly<Record<string, Text>> = texts({
  Email: 'Email and password',
  [openIdConnect]: 'Single sign-on:',
  Dev: 'Click on a name, because this is a development organization',
})

/** The ways to log in, and whether passwords are one of them. */
export function AuthenticationMethods() {
  return (
    <>
      <Methods />
      <RealmSettingGroups section="auth-methods" />
    </>
  )
}

function Methods() {
  const { store, api } = useApp()
  const methods = Object.entries(store.realm.value.realm_authentication_methods)
  const { value: server } = useFetched(undefined, () =>
    api.get<{ external_authentication_methods: ExternalMethod[] }>('/server_settings'),
  )
  const providers = server?.external_authentication_methods ?? []
  return (
    <section class="setting-group">
      <ul class="plain-rows" aria-label={t('Authentication methods')}>
        {methods.map(([id, { enabled, available, unavailable_reason }]) => {
          const isOn = enabled && available
          return (
            <li key={id} class="row plain-row">
              <Icon node={isOn ? Check : X} size={16} />
              <span class="grow plain-name">
                {names[id] ? t(names[id]) : id}
                {id === openIdConnect && (
                  <span class="field-help">
                    {' '}
                    {listText(
                      providers.map(({ display_name }) => display_name),
                      'narrow',
                    )}
                  </span>
                )}
                {unavailable_reason && <span class="field-help"> {unavailable_reason}</span>}
              </span>
              <span class="field-help">{isOn ? t('On') : t('Off')}</span>
            </li>
          )
        })}
      </ul>
      <LockNote locked={t('Only the server administrator can add others.')} />
      <p class="field-help">{t('Who can create an account is set under Permissions, Joining.')}</p>
    </section>
  )
}
