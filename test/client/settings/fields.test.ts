import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PermissionRule } from '#client/api/wire.ts'
import { cropOf, outputSize } from '#client/settings/ui/crop.ts'
import {
  allowedGroups,
  choiceOf,
  chosenValue,
  type GroupValue,
  peopleOf,
  sameValue,
  toWire,
} from '#client/settings/ui/group-value.ts'
import { numberOf } from '#client/settings/ui/number-field.tsx'
import { rowWindow } from '#client/settings/ui/row-window.ts'
import type { Group, User } from '#client/state/model.ts'
import { Table } from '#client/state/table.ts'

const group = (id: number, name: string, memberIds: number[], subgroupIds: number[] = []) =>
  [
    id,
    {
      id,
      name,
      isSystem: name.startsWith('role:'),
      isDeactivated: name === 'gone',
      memberIds: new Set(memberIds),
      subgroupIds: new Set(subgroupIds),
    } as unknown as Group,
  ] as const
const groups = new Table([
  group(1, 'role:nobody', []),
  group(2, 'role:administrators', [10]),
  group(3, 'role:members', [11], [2]),
  group(4, 'role:everyone', [12], [3]),
  group(5, 'role:internet', [], [4]),
  group(8, 'designers', [11, 13]),
  group(9, 'gone', []),
])
const users = new Table(
  [10, 11, 12, 13].map((id) => [id, { id, isActive: id !== 13 } as User] as const),
)

describe('a permission, as the picker works on it', () => {
  const table: readonly (readonly [string, GroupValue, GroupValue])[] = [
    ['a group stays its id', 8, 8],
    ['nobody stays the group of nobody', 1, 1],
    ['people stay people', { members: [10], subgroups: [] }, { members: [10], subgroups: [] }],
    ['a group without people becomes its id', { members: [], subgroups: [3] }, 3],
    ['nothing chosen is the group of nobody', { members: [], subgroups: [] }, 1],
    ['both stay both', { members: [10], subgroups: [8] }, { members: [10], subgroups: [8] }],
  ]
  for (const [name, value, expected] of table) {
    test(name, () => assert.deepEqual(chosenValue(choiceOf(value, groups), groups), expected))
  }

  test('goes over the wire in its names', () => {
    assert.equal(toWire(8), 8)
    assert.deepEqual(toWire({ members: [10], subgroups: [8] }), {
      direct_members: [10],
      direct_subgroups: [8],
    })
  })

  test('is the same in any order, and another with someone else', () => {
    const value = { members: [10, 11], subgroups: [8] }
    assert.ok(sameValue(value, { members: [11, 10], subgroups: [8] }))
    assert.ok(!sameValue(value, { members: [10, 12], subgroups: [8] }))
    assert.ok(!sameValue(value, { members: [10], subgroups: [8] }))
    assert.ok(!sameValue(8, { members: [], subgroups: [8] }))
  })

  test('comes to the active members of groups within groups, each once', () => {
    const store = { groups, users }
    assert.deepEqual(peopleOf({ members: [11], subgroups: [3, 8] }, store).sort(), [10, 11])
  })
})

describe('the groups that a permission can be given to', () => {
  const rule: PermissionRule = {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: true,
    default_group_name: 'role:members',
    default_for_system_groups: null,
    allowed_system_groups: [],
  }
  const table: readonly (readonly [string, Partial<PermissionRule>, number[]])[] = [
    ['system groups and others', {}, [1, 2, 3, 4, 8]],
    ['not nobody', { allow_nobody_group: false }, [2, 3, 4, 8]],
    ['not guests', { allow_everyone_group: false }, [1, 2, 3, 8]],
    ['also the internet', { allow_internet_group: true }, [1, 2, 3, 4, 5, 8]],
    [
      'some system groups only',
      { require_system_group: true, allowed_system_groups: ['role:members', 'role:everyone'] },
      [3, 4],
    ],
  ]
  for (const [name, changes, expected] of table) {
    test(name, () => {
      const allowed = allowedGroups(groups, { ...rule, ...changes })
      assert.deepEqual(
        allowed.map(({ id }) => id),
        expected,
      )
    })
  }
})

describe('the rows of a long table that are drawn', () => {
  test('are those in sight and some more, however many there are', () => {
    assert.deepEqual(rowWindow(20_000, 40, 400_000, 800), {
      first: 9988,
      end: 10_032,
      above: 399_520,
      below: (20_000 - 10_032) * 40,
    })
  })
  test('are all of a short one', () => {
    assert.deepEqual(rowWindow(5, 40, 0, 800), { first: 0, end: 5, above: 0, below: 0 })
  })
  test('are none where all are scrolled away', () => {
    assert.deepEqual(rowWindow(5, 40, 4000, 800), { first: 5, end: 5, above: 200, below: 0 })
  })
})

describe('the part of a picture that is kept', () => {
  const picture = { width: 400, height: 200 }
  test('is as large as fits, in the middle', () => {
    const crop = cropOf(picture, 1, 1, { x: 200, y: 100 })
    assert.deepEqual(crop, { x: 100, y: 0, width: 200, height: 200 })
  })
  test('is smaller when zoomed, and never leaves the picture', () => {
    const crop = cropOf(picture, 1, 2, { x: 390, y: -50 })
    assert.deepEqual(crop, { x: 300, y: 0, width: 100, height: 100 })
  })
  test('is made no larger than it was, and no larger than the limit', () => {
    const crop = cropOf(picture, 2, 1, { x: 0, y: 0 })
    assert.deepEqual(outputSize(crop, 1000), { width: 400, height: 200 })
    assert.deepEqual(outputSize(crop, 100), { width: 100, height: 50 })
  })
})

test('a typed number counts in its unit, and what is none is no number', () => {
  assert.equal(numberOf('10', 60), 600)
  assert.equal(numberOf('1,5', 60), 90)
  assert.equal(numberOf('', 60), undefined)
  assert.equal(numberOf('soon', 1), undefined)
})
