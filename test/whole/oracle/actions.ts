import type { CallParams } from '#test/support/server.ts'
import {
  arrive,
  type Channel,
  type GroupValue,
  isMentioned,
  isOwnHistory,
  type Message,
  mayRead,
  type Person,
  type World,
} from './rules.ts'

/** A step before it is taken: what it does follows from these numbers and from the world it meets. */
export interface Plan {
  readonly kind: ActionName
  readonly numbers: readonly number[]
}

export interface Step {
  readonly actor: number
  readonly method: 'get' | 'post' | 'patch' | 'del'
  readonly path: string
  readonly params: CallParams
  /** What a success means. */
  effect?(): void
  /** The messages whose `update_message` is due after a success. */
  readonly updates?: readonly Message[]
  /** The messages that are gone for whom they are gone. */
  readonly deletes?: readonly Message[]
  /** The channel whose messages have become too old to be kept. */
  readonly outlived?: Channel
  /** The messages that the actor has read after a success. */
  readonly reads?: readonly Message[]
}

/** Picks from the world by the numbers of a plan. */
function picker(world: World, numbers: readonly number[]) {
  let next = 0
  function below(limit: number): number {
    const number = numbers[next % numbers.length] ?? 0
    next += 1
    return number % limit
  }
  const one = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const people = [...world.people.values()]
  const person = (): Person => one(people)
  const group = (): number => one([...world.groups.keys()])
  return {
    world,
    below,
    one,
    person,
    /** Someone for whom it is likelier to be allowed. */
    manager: (): Person => (below(4) ? (people[below(3)] ?? person()) : person()),
    group,
    flag: () => below(2) === 1,
    channel: (): Channel => one([...world.channels.values()]),
    message(): Message {
      const all = [...world.messages.values()]
      return one(all.slice(-12))
    },
    value(): GroupValue {
      const direct_members = [person().id]
      const anonymous = { direct_members, direct_subgroups: below(2) ? [group()] : [] }
      return one<GroupValue>([1, 2, 4, 6, group(), group(), anonymous, anonymous])
    },
  }
}
type Picker = ReturnType<typeof picker>

const topics = ['apples', 'pears', 'plums']

function subscribe(pick: Picker): Step {
  const channel = pick.channel()
  const isOwn = pick.flag()
  const actor = (isOwn ? pick.person() : pick.manager()).id
  const principals = isOwn ? [actor] : [pick.person().id]
  return {
    actor,
    method: 'post',
    path: '/users/me/subscriptions',
    params: { subscriptions: [{ name: channel.name }], principals },
    effect() {
      for (const id of principals) channel.subscribers.add(id)
    },
  }
}

function unsubscribe(pick: Picker): Step {
  const channel = pick.channel()
  const isOwn = pick.flag()
  const actor = (isOwn ? pick.person() : pick.manager()).id
  const principals = isOwn ? [actor] : [pick.person().id]
  return {
    actor,
    method: 'del',
    path: '/users/me/subscriptions',
    params: { subscriptions: [channel.name], principals },
    effect() {
      for (const id of principals) channel.subscribers.delete(id)
    },
  }
}

function post(pick: Picker): Step {
  const [actor, channel] = [pick.person().id, pick.channel()]
  const file = pick.below(3) === 0 ? pick.world.files.get(actor) : undefined
  const attached = file === undefined ? '' : ` [file](${file})`
  return {
    actor,
    method: 'post',
    path: '/messages',
    params: {
      type: 'channel',
      to: channel.id,
      topic: pick.one(topics),
      content: `needle ${pick.below(1000)}${pick.one(['', '', ` @**all**`, ` @**|${pick.person().id}**`])}${attached}`,
      read_by_sender: true,
    },
  }
}

function write(pick: Picker): Step {
  const actor = pick.person().id
  const to = [pick.person().id, ...(pick.flag() ? [pick.person().id] : [])]
  const content = `needle ${pick.below(1000)}`
  return {
    actor,
    method: 'post',
    path: '/messages',
    params: { type: 'direct', to, content, read_by_sender: true },
  }
}

function edit(pick: Picker): Step {
  const [message, other] = [pick.message(), pick.person()]
  const content = `needle edited ${pick.below(1000)}`
  return {
    actor: pick.below(4) && pick.world.people.has(message.senderId) ? message.senderId : other.id,
    method: 'patch',
    path: `/messages/${message.id}`,
    params: { content },
    updates: [message],
    effect() {
      Object.assign(message, { content, mentions: { ids: new Set(), all: false } })
    },
  }
}

function move(pick: Picker): Step {
  const message = pick.message()
  const sees = [...pick.world.people.values()].filter((one) => mayRead(pick.world, one, message))
  const actor = pick.one(sees.length > 0 ? sees : [pick.person()])
  const target = pick.below(4) ? pick.channel() : message.channel
  const topic = pick.one(topics)
  const mode = pick.one(['change_one', 'change_later', 'change_all'])
  const moved = [...pick.world.messages.values()].filter(
    (other) =>
      other === message ||
      (mode !== 'change_one' &&
        other.channel === message.channel &&
        other.topic === message.topic &&
        (mode === 'change_all' || other.id > message.id) &&
        mayRead(pick.world, actor, other)),
  )
  return {
    actor: actor.id,
    method: 'patch',
    path: `/messages/${message.id}`,
    params: {
      ...(target !== message.channel && { stream_id: target?.id }),
      topic,
      propagate_mode: mode,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    },
    updates: moved,
    deletes: moved,
    effect() {
      for (const one of moved) {
        if (target && target !== one.channel) arrive(pick.world, one, target)
        Object.assign(one, { channel: target, topic })
      }
    },
  }
}

function remove(pick: Picker): Step {
  const message = pick.message()
  return {
    actor: pick.manager().id,
    method: 'del',
    path: `/messages/${message.id}`,
    params: {},
    deletes: [message],
    effect: () => void pick.world.messages.delete(message.id),
  }
}

function removeTopic(pick: Picker): Step {
  const [channel, topic] = [pick.channel(), pick.one(topics)]
  const gone = [...pick.world.messages.values()].filter(
    (message) => message.channel === channel && message.topic === topic,
  )
  return {
    actor: pick.manager().id,
    method: 'post',
    path: `/streams/${channel.id}/delete_topic`,
    params: { topic_name: topic },
    deletes: gone,
    effect() {
      for (const { id } of gone) pick.world.messages.delete(id)
    },
  }
}

function expire(pick: Picker): Step {
  const channel = pick.channel()
  const gone = [...pick.world.messages.values()].filter((message) => message.channel === channel)
  return {
    actor: [...pick.world.people.keys()][0] ?? 0,
    method: 'patch',
    path: `/streams/${channel.id}`,
    params: { message_retention_days: 1 },
    outlived: channel,
    deletes: gone,
    effect() {
      const { files, messages } = pick.world
      for (const { id } of gone) messages.delete(id)
      // A file goes with the last message that has it.
      for (const [ownerId, file] of files) {
        const has = ({ content }: Message) => content.includes(file)
        if (gone.some(has) && ![...messages.values()].some(has)) files.delete(ownerId)
      }
    },
  }
}

function changePrivacy(pick: Picker): Step {
  const channel = pick.channel()
  const [isPrivate, isWebPublic, sharesHistory] = pick.one([
    [false, false, true],
    [false, true, true],
    [true, false, true],
    [true, false, false],
    [true, false, false],
  ] as const)
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: `/streams/${channel.id}`,
    params: {
      is_private: isPrivate,
      is_web_public: isWebPublic,
      history_public_to_subscribers: sharesHistory,
    },
    effect: () => void Object.assign(channel, { isPrivate, isWebPublic, sharesHistory }),
  }
}

function changeOpening(pick: Picker): Step {
  const [channel, value] = [pick.channel(), pick.value()]
  const setting = pick.one(['can_subscribe_group', 'can_add_subscribers_group'] as const)
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: `/streams/${channel.id}`,
    params: { [setting]: { new: value } },
    effect() {
      channel.opening[setting] = value
    },
  }
}

function changeAdministrators(pick: Picker): Step {
  const [channel, value] = [pick.channel(), pick.value()]
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: `/streams/${channel.id}`,
    params: { can_administer_channel_group: { new: value } },
    effect() {
      channel.administrators = value
    },
  }
}

function archive(pick: Picker): Step {
  const channel = pick.channel()
  return {
    actor: pick.manager().id,
    method: 'del',
    path: `/streams/${channel.id}`,
    params: {},
    effect() {
      channel.isArchived = true
    },
  }
}

function unarchive(pick: Picker): Step {
  const channel = pick.one(
    [...pick.world.channels.values()].sort((a, b) => Number(b.isArchived) - Number(a.isArchived)),
  )
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: `/streams/${channel.id}`,
    params: { is_archived: false },
    effect() {
      channel.isArchived = false
    },
  }
}

function deactivate(pick: Picker): Step {
  const person = pick.person()
  return {
    actor: pick.manager().id,
    method: 'del',
    path: `/users/${person.id}`,
    params: {},
    effect() {
      person.active = false
    },
  }
}

function reactivate(pick: Picker): Step {
  const people = [...pick.world.people.values()]
  const person = people.find(({ active }) => !active) ?? pick.person()
  return {
    actor: pick.manager().id,
    method: 'post',
    path: `/users/${person.id}/reactivate`,
    params: {},
    effect() {
      person.active = true
    },
  }
}

function changeRole(pick: Picker): Step {
  const person = pick.person()
  const role = pick.one([200, 300, 400, 400, 600, 600])
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: `/users/${person.id}`,
    params: { role },
    effect() {
      person.role = role
    },
  }
}

function changeMembers(pick: Picker): Step {
  const [groupId, person, adds] = [pick.group(), pick.person(), pick.flag()]
  return {
    actor: pick.manager().id,
    method: 'post',
    path: `/user_groups/${groupId}/members`,
    params: { [adds ? 'add' : 'delete']: [person.id] },
    effect() {
      const members = pick.world.groups.get(groupId)?.members
      if (adds) members?.add(person.id)
      else members?.delete(person.id)
    },
  }
}

function changeSubgroups(pick: Picker): Step {
  const [groupId, subgroup, adds] = [pick.group(), pick.group(), pick.flag()]
  return {
    actor: pick.manager().id,
    method: 'post',
    path: `/user_groups/${groupId}/subgroups`,
    params: { [adds ? 'add' : 'delete']: [subgroup] },
    effect() {
      const subgroups = pick.world.groups.get(groupId)?.subgroups
      if (adds) subgroups?.add(subgroup)
      else subgroups?.delete(subgroup)
    },
  }
}

function changeHistoryPolicy(pick: Picker): Step {
  const policy = pick.one(['all', 'all', 'moves', 'none'])
  return {
    actor: pick.manager().id,
    method: 'patch',
    path: '/realm',
    params: { message_edit_history_visibility_policy: policy },
    effect() {
      pick.world.showsEditHistory = policy !== 'none'
    },
  }
}

function markRead(pick: Picker): Step {
  const message = pick.message()
  return {
    actor: pick.person().id,
    method: 'post',
    path: '/messages/flags',
    params: { messages: [message.id], op: 'add', flag: 'read' },
    reads: [message],
  }
}

function markNarrowRead(pick: Picker): Step {
  const [actor, channel] = [pick.person(), pick.channel()]
  const all = [...pick.world.messages.values()]
  const own = all.filter((message) => isOwnHistory(pick.world, actor, message))
  const here = all.filter((one) => one.channel === channel && mayRead(pick.world, actor, one))
  const [narrow, reads] = pick.one<[unknown[], Message[]]>([
    [[], own],
    [[['search', 'needle']], own.filter(({ content }) => content.includes('needle'))],
    [[['is', 'mentioned']], own.filter((message) => isMentioned(actor, message))],
    [[['channel', channel.id]], here],
  ])
  return {
    actor: actor.id,
    method: 'post',
    path: '/messages/flags/narrow',
    params: { anchor: 'newest', num_before: 1000, num_after: 0, narrow, op: 'add', flag: 'read' },
    reads,
  }
}

function star(pick: Picker): Step {
  const [actor, message] = [pick.person(), pick.message()]
  const op = pick.one(['add', 'add', 'remove'])
  return {
    actor: actor.id,
    method: 'post',
    path: '/messages/flags',
    params: { messages: [message.id], op, flag: 'starred' },
    effect() {
      if (op === 'add') message.stars.add(actor.id)
      else message.stars.delete(actor.id)
    },
  }
}

const actions = {
  subscribe,
  unsubscribe,
  post,
  write,
  edit,
  move,
  remove,
  removeTopic,
  expire,
  changePrivacy,
  changeOpening,
  changeAdministrators,
  archive,
  unarchive,
  deactivate,
  reactivate,
  changeRole,
  changeMembers,
  changeSubgroups,
  changeHistoryPolicy,
  markRead,
  markNarrowRead,
  star,
} satisfies Record<string, (pick: Picker) => Step>
export type ActionName = keyof typeof actions

/** Each as often as it is in here. */
const weights: readonly ActionName[] = [
  ...(Object.keys(actions) as ActionName[]),
  ...Array<ActionName>(8).fill('post'),
  ...Array<ActionName>(2).fill('expire'),
  ...Array<ActionName>(6).fill('subscribe'),
  ...Array<ActionName>(5).fill('changePrivacy'),
  ...Array<ActionName>(4).fill('unsubscribe'),
  ...Array<ActionName>(8).fill('move'),
  ...Array<ActionName>(3).fill('changeOpening'),
  ...Array<ActionName>(2).fill('changeMembers'),
  ...Array<ActionName>(2).fill('write'),
  ...Array<ActionName>(2).fill('star'),
  ...Array<ActionName>(2).fill('edit'),
  ...Array<ActionName>(2).fill('reactivate'),
  ...Array<ActionName>(2).fill('unarchive'),
]

export function randomPlan(random: (below: number) => number): Plan {
  const kind = weights[random(weights.length)] as ActionName
  return { kind, numbers: Array.from({ length: 12 }, () => random(1_000_000)) }
}

/** What a plan comes to in this world. */
export function stepOf(world: World, plan: Plan): Step {
  return actions[plan.kind](picker(world, plan.numbers))
}
