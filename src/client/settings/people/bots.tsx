import { YourBots } from '#client/settings/personal/your-bots.tsx'
import type { SectionProps } from '#client/settings/section.ts'
import { t } from '#client/ui/t.ts'
import { AllBots } from './all-bots.tsx'
import { PageTabs } from './page-tabs.tsx'

/** Bots of everyone, and one's own. */
export function Bots({ path }: SectionProps) {
  const current = path[0] === 'your-bots' ? 'your-bots' : 'all-bots'
  return (
    <>
      <PageTabs
        label={t('Bots')}
        section="bots"
        tabs={[
          ['all-bots', t('All bots')],
          ['your-bots', t('Your bots')],
        ]}
        current={current}
      />
      {current === 'your-bots' ? <YourBots /> : <AllBots />}
    </>
  )
}
