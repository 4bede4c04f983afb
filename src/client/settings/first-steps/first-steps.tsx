import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'
import { Invitation } from './invitation.tsx'
import { JoinChannels } from './join-channels.tsx'
import { NewChannels } from './new-channels.tsx'
import { Organization } from './organization.tsx'
import { type FirstStep, firstStepsDone, firstStepsOf } from './plan.ts'
import { You } from './you.tsx'

interface StepPage {
  /** English, for `t()`. */
  readonly title: Text
  readonly intro: Text
  readonly Page: ComponentType
}

const pages: Readonly<Record<FirstStep, StepPage>> = {
  you: {
    title: text('About you'),
    intro: text('Others see this next to your messages.'),
    Page: You,
  },
  organization: {
    title: text('Your organization'),
    intro: text('Helps people recognize it among their other organizations.'),
    Page: Organization,
  },
  'new-channels': {
    title: text('First channels'),
    intro: text(
      'A channel is for a team or a subject, and each conversation in it has a topic. Everyone who joins is subscribed to these.',
    ),
    Page: NewChannels,
  },
  channels: {
    title: text('Channels to join'),
    intro: text(
      'You read the channels that you are subscribed to. You can change this at any time.',
    ),
    Page: JoinChannels,
  },
  invitation: {
    title: text('Invite people'),
    intro: text('Anyone with this link can create an account here.'),
    Page: Invitation,
  },
}

/** The page that is shown: an overlay that is opened and closed meanwhile comes back to it. */
const current = signal<FirstStep | undefined>(undefined)

/** Leads a new user through the first settings. Shown until it is done or skipped, once. */
export function FirstSteps() {
  const app = useApp()
  const { store, api } = app
  const steps = firstStepsOf(store)
  const index = Math.max(0, current.value === undefined ? 0 : steps.indexOf(current.value))
  const step = steps[index] ?? 'you'
  const { title, intro, Page } = pages[step]
  const next = steps[index + 1]
  const previous = steps[index - 1]
  const go = (to: FirstStep | undefined) => {
    current.value = to
  }
  const finish = async (isSkipped: boolean) => {
    if (!(await attempt(app, api.post('/users/me/onboarding_steps', firstStepsDone)))) return
    if (isSkipped) app.notify(t('You can find all of this in the settings.'))
  }
  return (
    <Dialog
      title={t('Welcome to {organization}', { organization: store.realm.value.realm_name })}
      class="first-steps"
      isAddressed
      onClose={() => void finish(true)}
      footer={
        <>
          <Button kind="quiet" class="first-steps-skip" onClick={() => void finish(true)}>
            {t('Skip all this')}
          </Button>
          {previous && <Button onClick={() => go(previous)}>{t('Back')}</Button>}
          <Button kind="primary" onClick={() => (next ? go(next) : void finish(false))}>
            {next ? t('Next') : t('Done')}
          </Button>
        </>
      }
    >
      <div class="form" key={step}>
        <p class="first-steps-count">
          {t('Step {step} of {count}', { step: index + 1, count: steps.length })}
        </p>
        <div>
          <h3>{t(title)}</h3>
          <p class="field-help">{t(intro)}</p>
        </div>
        <Page />
      </div>
    </Dialog>
  )
}
