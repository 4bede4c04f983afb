import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setUpOrganization } from '#features/access/setup/actions.ts'
import { listOnboardingSteps } from '#features/people/onboarding/queries.ts'
import { success } from '#test/support/replies.ts'
import { type Client, startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/users/me/onboarding_steps'
const step = (name: string) => ({ type: 'one_time_notice', name })
const stepsOf = async (client: Client) =>
  (await client.post<{ onboarding_steps: object[] }>('/register')).onboarding_steps

test('new people have the first steps before them until they have taken them, once', async () => {
  const yorick = await server.enroll('Yorick')
  const later = step('getting_started')
  assert.deepEqual(await stepsOf(yorick), [step('first_steps'), later])
  const queue = await yorick.watch('onboarding_steps')
  const take = () => yorick.post(path, { onboarding_step: 'first_steps' })
  assert.deepEqual(await take(), success)
  assert.deepEqual(await queue.drain(), [{ type: 'onboarding_steps', onboarding_steps: [later] }])
  assert.deepEqual(await stepsOf(yorick), [later])
  assert.deepEqual(await take(), success)
  assert.deepEqual(await queue.drain(), [], 'nothing changed')
})

test('people from before have nothing before them, and cannot take what does not exist', async () => {
  const member = server.as('member')
  assert.deepEqual(await stepsOf(member), [])
  const reply = await member.post(path, { onboarding_step: 'second_steps' })
  assert.equal(reply.code, 'BAD_REQUEST')
  assert.match(reply.msg, /onboarding_step/)
})

test('the owner who sets the organization up has them as well', async () => {
  const fresh = await startServer({ fixture: false })
  try {
    const { context } = fresh.server
    const owner = await setUpOrganization(context, {
      organization: 'Ours',
      email: 'olga@example.com',
      fullName: 'Olga',
      password: 'correct horse',
    })
    assert.deepEqual(listOnboardingSteps(context.store, owner.id), [
      'first_steps',
      'getting_started',
    ])
  } finally {
    await fresh.close()
  }
})
