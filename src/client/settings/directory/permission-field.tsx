import type { CallParams } from '#client/api/api.ts'
import type { PermissionRule } from '#client/api/wire.ts'
import { GroupField } from '#client/settings/ui/group-field.tsx'
import { type GroupValue, toWire } from '#client/settings/ui/group-value.ts'

interface PermissionFieldProps {
  /** On the wire. */
  readonly name: string
  readonly label: string
  readonly rule: PermissionRule | undefined
  readonly value: GroupValue | undefined
  readonly locked: string | undefined
  /** The channel or group that has it. */
  readonly draftKey: string
  /** Changes the channel or group. @throws CallError */
  readonly onEdit: (changes: CallParams) => Promise<unknown>
}

/** The holders of a permission of a channel or group; nothing if the server does not have it. */
export function PermissionField(props: PermissionFieldProps) {
  const { name, label, rule, value, locked, draftKey, onEdit } = props
  if (!rule || value === undefined) return null
  return (
    <GroupField
      name={name}
      label={label}
      rule={rule}
      value={value}
      locked={locked}
      draftKey={`${draftKey} ${name}`}
      onSave={(next) => onEdit({ [name]: { new: toWire(next), old: toWire(value) } })}
    />
  )
}
