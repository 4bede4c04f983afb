import { User as PersonIcon, Users, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { PermissionRule } from '#client/api/wire.ts'
import { useApp } from '#client/app-context.ts'
import { ComboField } from '#client/compose/combo-field.tsx'
import type { SuggestionRow } from '#client/compose/suggestion-list.tsx'
import type { User } from '#client/state/model.ts'
import { byName, userName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { listText, t, tn } from '#client/ui/t.ts'
import { findByAddresses, looksLikeAddresses } from './addresses.ts'
import { groupName } from './group-names.ts'
import { allowedGroups, type GroupChoice, peopleOf } from './group-value.ts'

interface ChoicePickerProps {
  /** The purpose, for the labels of the list and the field below it. */
  readonly label: string
  readonly choice: GroupChoice
  /** The groups that can be chosen; undefined: none. */
  readonly rule: PermissionRule | undefined
  readonly isLocked?: boolean
  /** The text while nobody is chosen. */
  readonly nobody?: string
  readonly onChange: (choice: GroupChoice) => void
}

/** A choice of people and groups, by name or by pasted addresses, with the resulting people. */
export function ChoicePicker(props: ChoicePickerProps) {
  const { label, choice, rule, isLocked = false, nobody = t('Nobody'), onChange } = props
  const { store } = useApp()
  const without = (ids: readonly number[], gone: number) => ids.filter((id) => id !== gone)
  return (
    <>
      <div class="stack">
        <ul class="cluster tight" aria-label={t('Chosen: {label}', { label })}>
          {choice.subgroups.map((id) => (
            <Chip
              key={`group ${id}`}
              name={groupName(store.groups.get(id))}
              isGroup
              isLocked={isLocked}
              onRemove={() => onChange({ ...choice, subgroups: without(choice.subgroups, id) })}
            />
          ))}
          {choice.members.map((id) => (
            <Chip
              key={`user ${id}`}
              name={userName(id, store)}
              isLocked={isLocked}
              onRemove={() => onChange({ ...choice, members: without(choice.members, id) })}
            />
          ))}
          {choice.members.length + choice.subgroups.length === 0 && (
            <li class="field-help">{nobody}</li>
          )}
        </ul>
        {!isLocked && <AddField label={label} choice={choice} rule={rule} onChange={onChange} />}
      </div>
      <WhoThatIs choice={choice} />
    </>
  )
}

/** The same as a field of a form. */
export function FormPicker(props: ChoicePickerProps) {
  return (
    <fieldset class="field">
      <legend class="field-label">{props.label}</legend>
      <ChoicePicker {...props} />
    </fieldset>
  )
}

interface ChipProps {
  readonly name: string
  readonly isGroup?: boolean
  readonly isLocked: boolean
  readonly onRemove: () => void
}

function Chip({ name, isGroup, isLocked, onRemove }: ChipProps) {
  return (
    <li class="row tight group-chip">
      <Icon node={isGroup ? Users : PersonIcon} size={14} />
      {name}
      {!isLocked && (
        <IconButton label={t('Remove {name}', { name })} icon={X} size={14} onClick={onRemove} />
      )}
    </li>
  )
}

type AddFieldProps = Pick<ChoicePickerProps, 'label' | 'choice' | 'rule' | 'onChange'>

function AddField({ label, choice, rule, onChange }: AddFieldProps) {
  const { store } = useApp()
  const [text, setText] = useState('')
  const [unknown, setUnknown] = useState<readonly string[]>([])

  function addAddresses(pasted: string): void {
    const found = findByAddresses(pasted, store.users.current.values())
    onChange({ ...choice, members: [...new Set([...choice.members, ...found.ids])] })
    setUnknown(found.unknown)
    setText('')
  }

  return (
    <div
      onPasteCapture={(event) => {
        const pasted = event.clipboardData?.getData('text') ?? ''
        if (!looksLikeAddresses(pasted)) return
        event.preventDefault()
        addAddresses(pasted)
      }}
    >
      <ComboField
        class="group-add"
        label={t('Add to: {permission}', { permission: label })}
        placeholder={rule ? t('Add people or groups') : t('Add people')}
        text={text}
        picksFirst
        offer={() => offered(store, rule, choice, text)}
        onText={(next) => {
          setText(next)
          setUnknown([])
        }}
        onPick={({ key }) => {
          setText('')
          const [kind, id] = key.split(' ')
          onChange(withAdded(choice, store, kind === 'group', Number(id)))
        }}
        onEnter={() => {
          if (looksLikeAddresses(text)) addAddresses(text)
        }}
      />
      {unknown.length > 0 && (
        <p class="field-problem" role="alert">
          {t('No one you can see has these addresses: {addresses}', {
            addresses: listText(unknown, 'narrow'),
          })}
        </p>
      )}
    </div>
  )
}

const mostOffered = 8

function offered(
  store: Store,
  rule: PermissionRule | undefined,
  choice: GroupChoice,
  text: string,
): SuggestionRow[] {
  const groups = (rule ? allowedGroups(store.groups, rule) : [])
    .filter(({ id }) => !choice.subgroups.includes(id))
    .map((group) => ({
      key: `group ${group.id}`,
      label: groupName(group),
      detail: group.isSystem ? undefined : group.description,
      user: undefined,
    }))
  const typed = text.trim()
  if (typed === '') return groups.map(withPicture)
  const people = [...store.users.current.values()]
    .filter(({ id, isActive, isBot }) => isActive && !isBot && !choice.members.includes(id))
    .map((user) => ({
      key: `user ${user.id}`,
      label: user.name,
      detail: user.deliveryEmail ?? undefined,
      user,
    }))
  const found = rank<Offered>([...groups, ...people], typed, {
    names: ({ label }) => label,
    order: (a, b) => byName(a.label, b.label),
    limit: mostOffered,
  })
  return found.map(withPicture)
}

/** A group, or a person with their account. */
interface Offered extends Omit<SuggestionRow, 'picture'> {
  readonly user: User | undefined
}

/** Out of thousands, only the people on offer get a picture. */
function withPicture({ user, ...shown }: Offered): SuggestionRow {
  const picture = user ? <Avatar user={user} size={20} /> : <Icon node={Users} size={16} />
  return { ...shown, picture }
}

/** Nobody and everyone replace each other. */
function withAdded(choice: GroupChoice, store: Store, isGroup: boolean, id: number): GroupChoice {
  if (!isGroup) return { ...choice, members: [...choice.members, id] }
  if (store.groups.peek(id)?.name === 'role:nobody') return { members: [], subgroups: [] }
  return { ...choice, subgroups: [...choice.subgroups, id] }
}

const mostNamed = 60

function WhoThatIs({ choice }: { readonly choice: GroupChoice }) {
  const { store } = useApp()
  const [isOpen, setOpen] = useState(false)
  if (choice.subgroups.length === 0) return null
  const ids = peopleOf(choice, store)
  return (
    <details class="group-who fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{tn(ids.length, 'That is one person', 'Those are {count} people')}</summary>
      {isOpen && (
        <p class="field-help">
          {listText(
            ids
              .map((id) => userName(id, store))
              .sort(byName)
              .slice(0, mostNamed),
            'narrow',
          )}
          {ids.length > mostNamed && t(' and {count} more', { count: ids.length - mostNamed })}
        </p>
      )}
    </details>
  )
}
