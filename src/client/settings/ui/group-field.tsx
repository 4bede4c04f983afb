import { User, Users, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { PermissionRule } from '#client/api/wire.ts'
import { ComboField } from '#client/compose/combo-field.tsx'
import type { Shown } from '#client/compose/suggestion-list.tsx'
import { byName, userName } from '#client/lists/names.ts'
import type { Store } from '#client/state/store.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { IconButton } from '#client/ui/button.tsx'
import { rank } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t, tn } from '#client/ui/t.ts'
import { useApp } from '#client/views/app-context.ts'
import { ChoiceField } from './choice-field.tsx'
import { fingerprint, useDraft } from './draft.ts'
import { DraftButtons } from './draft-buttons.tsx'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import { choiceText, groupName } from './group-names.ts'
import {
  allowedGroups,
  choiceOf,
  chosenValue,
  type GroupChoice,
  type GroupValue,
  peopleOf,
  sameValue,
} from './group-value.ts'
import { useSave } from './use-save.ts'

interface GroupFieldProps extends FieldProps<GroupValue> {
  /** What the permission allows; undefined for a list of people, which takes no groups. */
  readonly rule: PermissionRule | undefined
  /** Of the draft, where there are several fields of a name, such as one for each channel. */
  readonly draftKey?: string
}

/** Who has a permission: groups and people, mixed where the permission allows that. */
export function GroupField(props: GroupFieldProps) {
  const { rule } = props
  return rule?.require_system_group ? (
    <SystemGroupField {...props} rule={rule} />
  ) : (
    <Picker {...props} />
  )
}

function SystemGroupField({ rule, ...props }: GroupFieldProps & { readonly rule: PermissionRule }) {
  const { store } = useApp()
  const groups = allowedGroups(store.groups, rule)
  const choices = groups.map((group) => ({ value: group.id, label: groupName(group) }))
  // What it is now may be a value that cannot be chosen any more.
  const isKnown = choices.some(({ value }) => value === props.value)
  const current = { value: -1, label: choiceText(props.value, store) }
  return (
    <ChoiceField
      {...props}
      value={isKnown ? (props.value as number) : -1}
      choices={isKnown ? choices : [current, ...choices]}
      onSave={async (id) => {
        if (id >= 0) await props.onSave(id)
      }}
    />
  )
}

function Picker({ rule, draftKey, value, onSave, ...frame }: GroupFieldProps) {
  const { store } = useApp()
  const draft = useDraft<GroupChoice>(draftKey ?? frame.name)
  const saving = useSave(value, onSave)
  const choice = draft.value?.typed ?? choiceOf(saving.shown, store.groups)
  const next = rule ? chosenValue(choice, store.groups) : choice
  const isChanged = draft.value !== undefined && !sameValue(next, value)
  const isOvertaken = isChanged && draft.value?.base !== fingerprint(value)
  const isEmpty = choice.members.length + choice.subgroups.length === 0

  function choose(typed: GroupChoice): void {
    draft.value = { typed, base: draft.peek()?.base ?? fingerprint(value) }
  }
  async function save(): Promise<void> {
    if (await saving.save(next)) draft.value = undefined
  }

  return (
    <FieldFrame {...frame} as="group" status={saving.status}>
      <div class="group-field">
        <ul class="group-chips" aria-label={t('Chosen')}>
          {choice.subgroups.map((id) => (
            <Chip
              key={`group ${id}`}
              name={groupName(store.groups.get(id))}
              isGroup
              isLocked={frame.locked !== undefined}
              onRemove={() =>
                choose({ ...choice, subgroups: choice.subgroups.filter((each) => each !== id) })
              }
            />
          ))}
          {choice.members.map((id) => (
            <Chip
              key={`user ${id}`}
              name={userName(id, store)}
              isLocked={frame.locked !== undefined}
              onRemove={() =>
                choose({ ...choice, members: choice.members.filter((each) => each !== id) })
              }
            />
          ))}
          {isEmpty && <li class="field-help">{t('Nobody')}</li>}
        </ul>
        {frame.locked === undefined && (
          <AddField
            label={frame.label}
            name={frame.name}
            choice={choice}
            rule={rule}
            onChange={choose}
          />
        )}
      </div>
      <WhoThatIs choice={choice} />
      {isChanged && (
        <DraftButtons
          isSaving={saving.status.kind === 'saving'}
          isInvalid={isEmpty && rule?.allow_nobody_group === false}
          meanwhile={isOvertaken ? choiceText(value, store) : undefined}
          onSave={() => void save()}
          onCancel={() => {
            draft.value = undefined
            saving.clear()
          }}
        />
      )}
    </FieldFrame>
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
    <li class="group-chip">
      <Icon node={isGroup ? Users : User} size={14} />
      {name}
      {!isLocked && (
        <IconButton label={t('Remove {name}', { name })} icon={X} size={14} onClick={onRemove} />
      )}
    </li>
  )
}

interface AddFieldProps {
  readonly name: string
  readonly label: string
  readonly choice: GroupChoice
  readonly rule: PermissionRule | undefined
  readonly onChange: (choice: GroupChoice) => void
}

function AddField({ label, choice, rule, onChange }: AddFieldProps) {
  const { store } = useApp()
  const [text, setText] = useState('')
  return (
    <ComboField
      class="group-add"
      label={t('Add to: {permission}', { permission: label })}
      placeholder={rule ? t('Add people or groups') : t('Add people')}
      text={text}
      picksFirst
      offer={() => offered(store, rule, choice, text)}
      onText={setText}
      onPick={({ key }) => {
        setText('')
        const [kind, id] = key.split(' ')
        onChange(withAdded(choice, store, kind === 'group', Number(id)))
      }}
    />
  )
}

const mostOffered = 8

function offered(
  store: Store,
  rule: PermissionRule | undefined,
  choice: GroupChoice,
  text: string,
): Shown[] {
  const groups = (rule ? allowedGroups(store.groups, rule) : [])
    .filter(({ id }) => !choice.subgroups.includes(id))
    .map((group) => ({
      key: `group ${group.id}`,
      label: groupName(group),
      detail: group.isSystem ? undefined : group.description,
      picture: <Icon node={Users} size={16} />,
    }))
  const typed = text.trim()
  if (typed === '') return groups
  const people = [...store.users.current.values()]
    .filter(({ id, isActive, isBot }) => isActive && !isBot && !choice.members.includes(id))
    .map((user) => ({
      key: `user ${user.id}`,
      label: user.name,
      detail: user.deliveryEmail ?? undefined,
      picture: <Avatar user={user} size={20} />,
    }))
  return rank<Shown>([...groups, ...people], typed, {
    names: ({ label }) => label,
    order: (a, b) => byName(a.label, b.label),
    limit: mostOffered,
  })
}

/** Nobody replaces everybody, and the other way around. */
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
    <details class="group-who" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{tn(ids.length, 'That is one person', 'Those are {count} people')}</summary>
      {isOpen && (
        <p class="field-help">
          {ids
            .map((id) => userName(id, store))
            .sort(byName)
            .slice(0, mostNamed)
            .join(', ')}
          {ids.length > mostNamed && t(' and {count} more', { count: ids.length - mostNamed })}
        </p>
      )}
    </details>
  )
}
