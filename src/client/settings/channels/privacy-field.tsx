import { useApp } from '#client/app-context.ts'
import { useSave } from '#client/commands/use-save.ts'
import { fingerprint, useDraft } from '#client/settings/ui/draft.ts'
import { DraftButtons } from '#client/settings/ui/draft-buttons.tsx'
import { FieldFrame } from '#client/settings/ui/field-frame.tsx'
import { t } from '#client/ui/t.ts'
import { type ChannelPageProps, draftKeyOf } from './channel-page.ts'
import { consequence, type Privacy, privacyOf, privacyToWire } from './privacy.ts'
import { PrivacyChoices } from './privacy-choices.tsx'
import { canOpenToWeb, channelLocks } from './rights.ts'

/** Who can read a channel. Says what a change reveals before it is made. */
export function PrivacyField({ channel }: ChannelPageProps) {
  const app = useApp()
  const value = privacyOf(channel)
  const draft = useDraft<Privacy>(`${draftKeyOf(channel)} privacy`)
  const { isPrivate, rest } = privacyToWire(draft.value?.typed ?? value)
  const saving = useSave(value, () =>
    app.api.patch(`/streams/${channel.id}`, { is_private: isPrivate, ...rest }),
  )
  const chosen = draft.value?.typed ?? saving.shown
  const warning = draft.value && consequence(value, chosen)
  const { access } = channelLocks(app, channel)
  const isOffered = (privacy: Privacy) =>
    privacy !== 'web-public' || value === 'web-public' || canOpenToWeb(app.store)
  return (
    <FieldFrame
      name="privacy"
      label={t('Who can read it')}
      locked={access}
      as="group"
      status={saving.status}
    >
      <PrivacyChoices
        chosen={chosen}
        isOffered={isOffered}
        isDisabled={access !== undefined}
        onChoose={(typed) => {
          saving.clear()
          draft.value = typed === value ? undefined : { typed, base: fingerprint(value) }
        }}
      />
      {warning && (
        <>
          <p class="row banner" role="status">
            {t(warning)}
          </p>
          <DraftButtons
            isSaving={saving.status.kind === 'saving'}
            onSave={async () => {
              if (await saving.save(chosen)) draft.value = undefined
            }}
            onCancel={() => {
              draft.value = undefined
              saving.clear()
            }}
          />
        </>
      )}
    </FieldFrame>
  )
}
