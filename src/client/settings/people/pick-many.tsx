import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ComboField } from '#client/compose/combo-field.tsx'
import type { SuggestionRow } from '#client/compose/suggestion-list.tsx'
import { byName } from '#client/state/names.ts'
import { IconButton } from '#client/ui/button.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { t } from '#client/ui/t.ts'

/** A thing that can be chosen, such as a channel. */
export interface Pickable {
  readonly id: number
  readonly name: string
  /** Called only for visible choices: eight of possibly thousands. */
  readonly picture?: () => ComponentChildren
  readonly detail?: string | undefined
}

interface AddOneProps {
  readonly label: string
  readonly placeholder?: string
  readonly isDisabled?: boolean
  /** What can be chosen. */
  readonly offer: () => readonly Pickable[]
  readonly onAdd: (id: number) => void
  readonly onType?: () => void
}

/** How many things are offered at a time. */
const mostOffered = 8

/** A field that adds one of many things by its name. */
export function AddOne(props: AddOneProps) {
  const { label, placeholder, isDisabled, offer, onAdd, onType } = props
  const [text, setText] = useState('')
  return (
    <ComboField
      class="group-add"
      label={label}
      placeholder={placeholder ?? label}
      text={text}
      isDisabled={isDisabled === true}
      picksFirst
      offer={() =>
        rank(offer(), text, {
          names: ({ name }) => name,
          order: (a, b) => byName(a.name, b.name),
          limit: mostOffered,
        }).map(shownOf)
      }
      onText={(next) => {
        onType?.()
        setText(next)
      }}
      onPick={({ key }) => {
        setText('')
        onAdd(Number(key))
      }}
    />
  )
}

function shownOf({ id, name, picture, detail }: Pickable): SuggestionRow {
  return { key: String(id), label: name, picture: picture?.(), detail }
}

interface PickManyProps extends Omit<AddOneProps, 'onAdd'> {
  readonly chosen: readonly Pickable[]
  readonly onChange: (ids: readonly number[]) => void
}

/** Several things of many, chosen by their names. */
export function PickMany({ chosen, offer, onChange, ...field }: PickManyProps) {
  const ids = chosen.map(({ id }) => id)
  return (
    <div class="stack">
      {chosen.length > 0 && (
        <ul class="cluster tight" aria-label={t('Chosen: {what}', { what: field.label })}>
          {chosen.map(({ id, name, picture }) => (
            <li key={id} class="row tight group-chip">
              {picture?.()}
              {name}
              <IconButton
                label={t('Remove {name}', { name })}
                icon={X}
                size={14}
                disabled={field.isDisabled}
                onClick={() => onChange(ids.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <AddOne
        {...field}
        offer={() => offer().filter(({ id }) => !ids.includes(id))}
        onAdd={(id) => onChange([...ids, id])}
      />
    </div>
  )
}
