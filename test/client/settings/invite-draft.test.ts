import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addressesIn,
  emptyInvite,
  type InviteDraft,
  inviteParams,
  minutesOf,
  uninvitedOf,
} from '#client/settings/people/invite-draft.ts'

describe('the addresses in what is typed or pasted', () => {
  const table: readonly (readonly [string, string[]])[] = [
    ['', []],
    ['ada@example.com', ['ada@example.com']],
    [
      'ada@example.com, bob@example.com;cy@example.com',
      ['ada@example.com', 'bob@example.com', 'cy@example.com'],
    ],
    [
      '"Lovelace, Ada" <ada@example.com>\nBob <bob@example.com>',
      ['ada@example.com', 'bob@example.com'],
    ],
    ['ada@example.com ada@example.com', ['ada@example.com']],
    ['not an address', ['not', 'an', 'address']],
  ]
  for (const [text, expected] of table) {
    test(text || '(empty)', () => assert.deepEqual(addressesIn(text), expected))
  }
})

describe('how long an invitation is valid', () => {
  const table: readonly (readonly [string, Partial<InviteDraft>, number | null | undefined])[] = [
    ['as chosen', { expires: 1440 }, 1440],
    ['for ever', { expires: null }, null],
    ['a time of its own', { expires: 'own', ownCount: '1,5', ownUnit: 60 }, 90],
    ['not in the past', { expires: 'own', ownCount: '-1', ownUnit: 60 }, undefined],
    ['no words', { expires: 'own', ownCount: 'soon', ownUnit: 60 }, undefined],
    ['nothing typed', { expires: 'own', ownCount: ' ', ownUnit: 60 }, undefined],
  ]
  for (const [name, draft, expected] of table) {
    test(name, () => assert.equal(minutesOf({ ...emptyInvite, ...draft }), expected))
  }
})

test('a welcome text goes along only from administrators, and only where there is one', () => {
  const draft = { ...emptyInvite, welcome: ' Hello ' }
  assert.equal(inviteParams(draft, true).welcome_message_custom_text, 'Hello')
  assert.ok(!('welcome_message_custom_text' in inviteParams(draft, false)))
  assert.ok(!('welcome_message_custom_text' in inviteParams(emptyInvite, true)))
})

test('refused addresses come with their reasons; anything else is none', () => {
  assert.deepEqual(uninvitedOf([['ada@example.com', 'Already has an account.', false]]), [
    { address: 'ada@example.com', reason: 'Already has an account.' },
  ])
  assert.deepEqual(uninvitedOf(undefined), [])
  assert.deepEqual(uninvitedOf(['odd']), [])
})
