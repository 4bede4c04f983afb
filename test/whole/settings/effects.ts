import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Actor } from '#test/support/server.ts'

/** What a setting does: what is seen with each of its values, two of them at least, the usual first. */
export interface Effect {
  /** What is looked at. */
  readonly of: string
  /** Does something that the setting governs, and tells what came of it. */
  see(): Promise<unknown>
  readonly positions: readonly (readonly [value: unknown, seen: unknown])[]
}

/**
 * Tests that every setting acts: each is either in the table of effects, or among those that mean
 * nothing to a server, with the reason. A new setting that is in neither fails.
 *
 * @param names all settings that there are
 * @param set gives a setting a value, as a client does
 * @param others why a setting has no effect to see here
 */
export function testEffects(
  names: readonly string[],
  set: (name: string, value: unknown) => Promise<{ result: string; msg: string }>,
  effects: Readonly<Record<string, Effect>>,
  others: Readonly<Record<string, string>>,
): void {
  test('every setting has an effect, or a stated reason to have none', () => {
    const told = [...Object.keys(effects), ...Object.keys(others)]
    assert.deepEqual(told.toSorted(), names.toSorted())
    for (const [name, reason] of Object.entries(others)) assert.ok(reason.length > 10, name)
  })

  for (const [name, { of, see, positions }] of Object.entries(effects)) {
    describe(`${name} decides ${of}`, () => {
      after(() => set(name, positions[0]?.[0]))
      test('in more than one way', () => {
        assert.ok(new Set(positions.map(([, seen]) => JSON.stringify(seen))).size > 1)
      })
      for (const [value, seen] of positions) {
        test(`${JSON.stringify(value)}: ${JSON.stringify(seen)}`, async () => {
          const reply = await set(name, value)
          assert.equal(reply.result, 'success', reply.msg)
          assert.deepEqual(await see(), seen)
        })
      }
    })
  }
}

/** What an answer comes to: `yes`, or what the server says against it. */
export function verdict(reply: { result: string; msg: string }): string {
  return reply.result === 'success' ? 'yes' : reply.msg
}

/** Which of these people can do something: their names, or `nobody`. */
export async function who(
  can: (actor: Actor) => Promise<{ result: string; msg: string }>,
  actors: readonly Actor[] = ['owner', 'moderator', 'member', 'guest'],
): Promise<string> {
  const able: Actor[] = []
  for (const actor of actors) if (verdict(await can(actor)) === 'yes') able.push(actor)
  return able.join(' ') || 'nobody'
}
