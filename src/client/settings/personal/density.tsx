import { signal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import type { UserSettings } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { LongMessages } from '#client/lists/long-messages.ts'
import { declarations } from '#client/settings/declarations.ts'
import { userSettingOffers } from '#client/settings/labels/user.ts'
import { declarationOf, offerOf } from '#client/settings/offers.ts'
import { ChoiceField } from '#client/settings/ui/choice-field.tsx'
import { SliderField } from '#client/settings/ui/slider-field.tsx'
import type { Message } from '#client/state/model.ts'
import { serverNow } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'
import { MessageRow } from '#client/views/message-row.tsx'

type Sizes = Pick<UserSettings, 'web_font_size_px' | 'web_line_height_percent'>

const densities = {
  compact: { web_font_size_px: 14, web_line_height_percent: 122 },
  comfortable: { web_font_size_px: 16, web_line_height_percent: 140 },
} as const satisfies Record<string, Sizes>

type Density = keyof typeof densities | 'custom'

function densityOf(sizes: Sizes): Density {
  for (const name of ['compact', 'comfortable'] as const) {
    const { web_font_size_px: size, web_line_height_percent: height } = densities[name]
    if (sizes.web_font_size_px === size && sizes.web_line_height_percent === height) return name
  }
  return 'custom'
}

/** How much fits on the screen: two choices for the size of text and lines, or sizes of one's own. */
export function DensitySetting() {
  const app = useApp()
  const settings = app.store.settings.value
  const [isCustom, setCustom] = useState(false)
  const [moved, setMoved] = useState<Partial<Sizes>>({})
  const density = isCustom ? 'custom' : densityOf(settings)
  const hasSliders = density === 'custom'

  async function choose(next: Density): Promise<void> {
    setCustom(next === 'custom')
    if (next !== 'custom') await app.changes.changeSettings(densities[next])
  }

  return (
    // A search for either size leads to the choice, where there are no sliders.
    <div class="stack loose" data-setting={hasSliders ? undefined : 'web_line_height_percent'}>
      <div data-setting={hasSliders ? undefined : 'web_font_size_px'}>
        <ChoiceField<Density>
          name="density"
          label={t('Density')}
          help={t('A compact page shows more messages; a comfortable one is easier to read.')}
          value={density}
          choices={[
            { value: 'compact', label: t('Compact') },
            { value: 'comfortable', label: t('Comfortable') },
            { value: 'custom', label: t('Custom') },
          ]}
          isRadio
          onSave={choose}
        />
      </div>
      {hasSliders &&
        (['web_font_size_px', 'web_line_height_percent'] as const).map((name) => {
          const { label, unit } = offerOf(userSettingOffers, name)
          const { minimum, maximum } = declarationOf(declarations().user_settings, name)
          return (
            unit && (
              <SliderField
                key={name}
                {...{ name, unit, minimum, maximum }}
                label={t(label)}
                value={settings[name]}
                onSave={(value) => app.changes.changeSettings({ [name]: value })}
                onMove={(value) => setMoved(value === undefined ? {} : { [name]: value })}
              />
            )
          )
        })}
      <Preview sizes={{ ...settings, ...moved }} />
    </div>
  )
}

/** Three messages as the messages of the page are drawn. */
function Preview({ sizes }: { readonly sizes: Sizes }) {
  const app = useApp()
  const now = useMemo(serverNow, [])
  const { web_font_size_px: drawn } = app.store.settings.value
  const [maya, theo] = [
    { senderId: -1, senderName: 'Maya', senderAvatarUrl: '/user_avatars/3.png' },
    { senderId: -2, senderName: 'Theo', senderAvatarUrl: '/user_avatars/8.png' },
  ]
  const said = [
    { ...maya, text: t('The new home page is ready for review. Can someone read the texts?') },
    { ...maya, text: t('I am sure of all but the second headline.') },
    { ...theo, text: t('On it! You have my comments before lunch.') },
  ]
  return (
    <div class="density-preview" role="img" aria-label={t('Preview')}>
      <ol
        class="messages"
        inert
        style={{
          zoom: sizes.web_font_size_px / drawn,
          lineHeight: sizes.web_line_height_percent / 100,
        }}
      >
        {said.map(({ text, ...sender }, index) => (
          <MessageRow
            key={text}
            message={{ ...plain, ...sender, id: -1 - index, html: paragraph(text), timestamp: now }}
            showsSender={said[index - 1]?.senderId !== sender.senderId}
            tabStop={noTabStop}
            long={long}
          />
        ))}
      </ol>
    </div>
  )
}

const noTabStop = signal(undefined)
const long = new LongMessages()

const plain: Omit<
  Message,
  'id' | 'senderId' | 'senderName' | 'senderAvatarUrl' | 'html' | 'timestamp'
> = {
  conversation: { kind: 'direct', userIds: [] },
  isMe: false,
  editedAt: undefined,
  movedAt: undefined,
  flags: new Set(['read']),
  reactions: [],
  submessages: [],
  topicLinks: [],
  client: '',
}

function paragraph(text: string): string {
  const element = document.createElement('p')
  element.textContent = text
  return element.outerHTML
}
