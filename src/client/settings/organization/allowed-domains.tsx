import { Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { lockOf } from '#client/settings/setting.tsx'
import { AddRow } from '#client/settings/ui/add-row.tsx'
import { LockNote } from '#client/settings/ui/field-frame.tsx'
import { ToggleField } from '#client/settings/ui/toggle-field.tsx'
import { byName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { t } from '#client/ui/t.ts'

/** The domains of the addresses that can join. */
export function AllowedDomains() {
  const app = useApp()
  const { store, api } = app
  const [domain, setDomain] = useState('')
  const locked = lockOf(app, 'owners')
  const realm = store.realm.value
  const domains = [...realm.realm_domains].sort((a, b) => byName(a.domain, b.domain))

  function remove(name: string): void {
    const isLast = domains.length === 1 && realm.realm_emails_restricted_to_domains
    openConfirm({
      title: t('Remove {name}?', { name }),
      text: isLast
        ? t('This is the last domain, so people with any email address can join afterwards.')
        : t('People with these addresses can no longer join. Existing users stay.'),
      action: t('Remove'),
      run: async () => {
        await api.delete(`/realm/domains/${encodeURIComponent(name)}`)
      },
    })
  }

  return (
    <div class="stack tight setting" data-setting="domains">
      <div class="setting-head">
        <h5 class="field-label">{t('Allowed domains')}</h5>
        <LockNote locked={locked} />
      </div>
      <p class="field-help">
        {realm.realm_emails_restricted_to_domains
          ? t('Only people with addresses in these domains can join.')
          : t('This takes effect when you restrict email domains of new users.')}
      </p>
      <ul class="plain-rows" aria-label={t('Allowed domains')}>
        {domains.map((each) => (
          <li key={each.domain} class="row plain-row domain-row">
            <strong class="grow plain-name">{each.domain}</strong>
            <ToggleField
              name={`subdomains-${each.domain}`}
              label={t('Including subdomains of {domain}', { domain: each.domain })}
              locked={locked === undefined ? undefined : ''}
              value={each.allow_subdomains}
              onSave={(allow_subdomains) =>
                api.patch(`/realm/domains/${encodeURIComponent(each.domain)}`, {
                  allow_subdomains,
                })
              }
            />
            {locked === undefined && (
              <IconButton
                label={t('Remove {name}', { name: each.domain })}
                icon={Trash2}
                size={16}
                onClick={() => remove(each.domain)}
              />
            )}
          </li>
        ))}
      </ul>
      {domains.length === 0 && <p class="data-empty">{t('No domains are allowed yet.')}</p>}
      {locked === undefined && (
        <AddRow
          label={t('New domain')}
          placeholder="example.com"
          value={domain}
          onInput={setDomain}
          onAdd={() =>
            api.post('/realm/domains', { domain: domain.trim(), allow_subdomains: false })
          }
        />
      )}
    </div>
  )
}
