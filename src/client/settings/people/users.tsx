import type { SectionProps } from '#client/settings/section.ts'
import { t } from '#client/ui/t.ts'
import { Invitations } from './invitations.tsx'
import { PageTabs } from './page-tabs.tsx'
import { ActivePeople, DeactivatedPeople } from './people-tables.tsx'

const parts = {
  active: ActivePeople,
  deactivated: DeactivatedPeople,
  invitations: Invitations,
} as const

/** Everyone of the organization, and who is invited. */
export function Users({ path }: SectionProps) {
  const wanted = path[0] ?? ''
  const current = Object.hasOwn(parts, wanted) ? (wanted as keyof typeof parts) : 'active'
  const Part = parts[current]
  return (
    <>
      <PageTabs
        label={t('People')}
        section="users"
        tabs={[
          ['active', t('Active')],
          ['deactivated', t('Deactivated')],
          ['invitations', t('Invitations')],
        ]}
        current={current}
      />
      <Part key={current} />
    </>
  )
}
