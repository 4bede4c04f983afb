import type { ComponentChildren } from 'preact'
import type {
  PermissionRule,
  RealmPermission,
  RealmSettingName,
  SettingDeclaration,
  UserSettingName,
  WireGroupSetting,
} from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { settingFromWire } from '#client/state/from-wire.ts'
import { byName } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'
import { type Text, text } from '#translations/translate.ts'
import { declarations } from './declarations.ts'
import { realmPermissionOffers, realmSettingOffers } from './labels/realm.ts'
import { userSettingOffers } from './labels/user.ts'
import {
  allGroupsOf,
  declarationOf,
  groupsOf,
  type Offers,
  offerOf,
  type SettingOffer,
} from './offers.ts'
import { ChoiceField } from './ui/choice-field.tsx'
import { GroupField } from './ui/group-field.tsx'
import { type GroupValue, toWire } from './ui/group-value.ts'
import { administratorsOnly, ownersOnly } from './ui/locks.tsx'
import { NumberField } from './ui/number-field.tsx'
import { SliderField } from './ui/slider-field.tsx'
import { TextField } from './ui/text-field.tsx'
import { ToggleField } from './ui/toggle-field.tsx'

/** A setting as a form shows it: declared by the server, named by the client. */
export interface Binding {
  readonly name: string
  readonly offer: SettingOffer
  readonly declaration: SettingDeclaration
  readonly value: unknown
  /** The people who may change it, if the user may not. */
  readonly locked?: string | undefined
  /** The values that a permission allows. */
  readonly rule?: PermissionRule | undefined
  /** @throws CallError */
  save(value: unknown): Promise<unknown>
}

/** A setting of the user. */
export function UserSetting({ name }: { readonly name: UserSettingName }) {
  const app = useApp()
  return (
    <SettingField
      name={name}
      offer={offerOf(userSettingOffers, name)}
      declaration={declarationOf(declarations().user_settings, name)}
      value={app.store.settings.value[name]}
      save={async (value) => {
        await app.changes.changeSetting(name, value as never)
        // The page has its texts from its beginning on.
        if (name === 'default_language') location.reload()
      }}
    />
  )
}

/** The default of a setting for people who join. */
function UserDefault({ name }: { readonly name: UserSettingName }) {
  const app = useApp()
  const defaults: Readonly<Record<string, unknown>> =
    app.store.realm.value.realm_user_settings_defaults
  return (
    <SettingField
      name={`default_${name}`}
      offer={offerOf(userSettingOffers, name)}
      declaration={declarationOf(declarations().user_settings, name)}
      value={defaults[name]}
      locked={lockOf(app)}
      save={(value) => app.api.patch('/realm/user_settings_defaults', { [name]: value })}
    />
  )
}

/** The defaults that an organization can set, under the headings of the users' own settings. */
export function UserDefaultGroups() {
  const { store } = useApp()
  const isDefault = (name: string) => name in store.realm.value.realm_user_settings_defaults
  return <Groups groups={allGroupsOf(userSettingOffers, isDefault)} Setting={UserDefault} />
}

/** A setting or permission of the organization. */
function RealmSetting({ name }: { readonly name: RealmSettingName | RealmPermission }) {
  const app = useApp()
  const { store, api } = app
  const realm = store.realm.value
  const declaration = declarationOf(declarations().realm_settings, name)
  const rule = realm.server_supported_permission_settings.realm[name]
  const value = realm[`realm_${name}`]
  const old = value as WireGroupSetting
  return (
    <SettingField
      name={name}
      offer={offerOf(realmOffers, name)}
      declaration={declaration}
      value={rule ? settingFromWire(old) : value}
      rule={rule}
      locked={lockOf(app, declaration.editable_by)}
      save={(next) =>
        api.patch('/realm', {
          [name]: rule ? { new: toWire(next as GroupValue), old } : next,
        })
      }
    />
  )
}

const realmOffers = { ...realmSettingOffers, ...realmPermissionOffers } as Offers<string>

/** The people who may change settings of the organization, if the user may not. */
export function lockOf({ store }: App, editors: 'owners' | 'administrators' = 'administrators') {
  const { is_owner, is_admin } = store.realm.value
  if (editors === 'owners' ? is_owner : is_admin) return undefined
  return editors === 'owners' ? ownersOnly() : administratorsOnly()
}

interface SectionGroupsProps {
  /** The id of the section. */
  readonly section: string
  /** The headings to show; all by default. */
  readonly only?: readonly string[]
  /** What stands below the settings of a heading. */
  readonly below?: Readonly<Record<string, ComponentChildren>>
}

/** The settings of the user that a section offers, under their headings. */
export function UserSettingGroups({ section, only, below }: SectionGroupsProps) {
  const groups = groupsOf(userSettingOffers, section)
  return <Groups groups={groups} only={only} below={below} Setting={UserSetting} />
}

/** The settings and permissions of the organization that a section offers, under their headings. */
export function RealmSettingGroups({ section, only, below }: SectionGroupsProps) {
  return (
    <Groups
      groups={groupsOf(realmOffers as Offers<RealmSettingName | RealmPermission>, section)}
      only={only}
      below={below}
      Setting={RealmSetting}
    />
  )
}

interface GroupsProps<N extends string> {
  readonly groups: ReadonlyMap<Text, readonly (readonly [N, SettingOffer])[]>
  readonly only?: readonly string[] | undefined
  readonly below?: SectionGroupsProps['below']
  readonly Setting: (props: { readonly name: N }) => preact.JSX.Element
}

function Groups<N extends string>({ groups, only, below, Setting }: GroupsProps<N>) {
  return (
    <>
      {[...groups]
        .filter(([heading]) => !only || only.includes(heading))
        .map(([heading, settings]) => (
          <section key={heading} class="setting-group">
            <h4>{t(heading)}</h4>
            {settings.map(([name]) => (
              <Setting key={name} name={name} />
            ))}
            {below?.[heading]}
          </section>
        ))}
    </>
  )
}

/** The field that fits a setting's kind of value. */
function SettingField(binding: Binding) {
  const { name, offer, declaration, value, locked, rule, save } = binding
  const field = {
    name,
    locked,
    label: t(offer.label),
    help: offer.help && t(offer.help),
    onSave: save,
  }
  if (rule) return <GroupField {...field} rule={rule} value={value as GroupValue} />
  if (offer.control === 'channel') return <ChannelField {...binding} />
  if (offer.control === 'slider' && offer.unit) {
    const { minimum, maximum } = declaration
    return (
      <SliderField {...field} {...{ minimum, maximum }} value={value as number} unit={offer.unit} />
    )
  }
  switch (declaration.kind) {
    case 'boolean':
      return <ToggleField {...field} value={value as boolean} />
    case 'choice':
      return <DeclaredChoice {...binding} />
    case 'integer':
      return offer.options ? (
        <DeclaredChoice {...binding} />
      ) : (
        <NumberField
          {...field}
          value={value as number | null}
          unit={offer.unit}
          special={offer.special}
          minimum={offer.special?.value === -1 ? 1 : declaration.minimum}
          maximum={declaration.maximum}
        />
      )
    default:
      return (
        <TextField
          {...field}
          value={String(value ?? '')}
          isLong={offer.control === 'long-text'}
          maxLength={declaration.max_length}
          onSave={(text) => save(text === '' && declaration.is_nullable ? null : text)}
        />
      )
  }
}

/** A language's own name. */
function ownName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

function DeclaredChoice({ name, offer, declaration, value, locked, save }: Binding) {
  const { store } = useApp()
  const available = offer.available?.(store.realm.value)
  const values = available
    ? [...available.keys()]
    : (declaration.options ?? Object.keys(offer.options ?? {}).map(Number))
  const choices = values.map((each) => {
    const label = offer.options?.[String(each)]
    const name =
      offer.control === 'language'
        ? ownName(String(each))
        : (available?.get(Number(each)) ?? String(each))
    return { value: each, label: label ? t(label) : name }
  })
  return (
    <ChoiceField
      name={name}
      label={t(offer.label)}
      help={offer.help && t(offer.help)}
      locked={locked}
      value={value as string | number}
      choices={choices}
      isRadio={offer.control === 'radio'}
      onSave={save}
    />
  )
}

/** A channel by its id, or none. */
function ChannelField({ name, offer, value, locked, save }: Binding) {
  const { store } = useApp()
  const none = { value: offer.special?.value ?? -1, label: t(offer.special?.label ?? text('None')) }
  const channels = [...store.channels.all.values()]
    .filter(({ isArchived }) => !isArchived)
    .sort((a, b) => byName(a.name, b.name))
    .map((channel) => ({ value: channel.id, label: `#${channel.name}` }))
  return (
    <ChoiceField<number>
      name={name}
      label={t(offer.label)}
      help={offer.help && t(offer.help)}
      locked={locked}
      value={value as number}
      choices={[none as { value: number; label: string }, ...channels]}
      onSave={save}
    />
  )
}
