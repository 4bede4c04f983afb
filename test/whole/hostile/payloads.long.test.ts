import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Integration } from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'
import { fixtureApiKey } from '#program/fixture/people.ts'
import { changedMembers, leaves } from '#test/features/integrations/webhook-services/payloads.ts'
import { draw, drawShare, isWhole, seed } from '#test/support/drawing.ts'
import { usualUnits } from '#test/support/patterns/attacks.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const query = new URLSearchParams({ api_key: fixtureApiKey('webhook-bot@zulip.com') })

/** What fits a body, in characters: escapes take up to six. */
const room = ({ sendsLongPayloads }: Integration) => (sendsLongPayloads ? 1_000_000 : 250_000)
/** The longest run of characters. */
const longestRun = 60_000
/** In milliseconds of CPU, for all of a request: no piece of it can take more. */
const mostWork = 100

/** CPU of this thread: others collect garbage. Some systems count it in hundredths of a second. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** What `knownWork` takes, in milliseconds of CPU, on the machine that the limit is made for. */
const knownMs = 4
const knownBody = JSON.stringify(
  Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `n${i}` })),
)

/** Work like that of a payload, of a known amount. @returns milliseconds of CPU */
function knownWork(): number {
  const before = cpuMs()
  const items: { id: number; name: string }[] = JSON.parse(knownBody)
  assert.equal(items.filter(({ name }) => /^n\d*7$/.test(name)).length, 2000)
  return cpuMs() - before
}

/** How many times longer this machine takes now than that one: cores are shared, and differ. */
const slownessNow = () => Math.max(1, knownWork() / knownMs)

async function post({ name, example }: Integration, body: string): Promise<number> {
  const before = cpuMs()
  const response = await server.fetch(`/api/v1/external/${name}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...example.headers },
    body,
  })
  assert.ok([200, 400].includes(response.status), `${name}: ${response.status}`)
  await response.arrayBuffer()
  return cpuMs() - before
}

/** A collection of garbage, the first call of a function and other programs take longer by chance. */
async function workOf(service: Integration, body: string): Promise<number> {
  let least = await post(service, body)
  for (let tries = 0; tries < 8 && least > mostWork; tries++) {
    const before = slownessNow()
    const work = await post(service, body)
    least = Math.min(least, work / Math.max(before, slownessNow()))
  }
  return least
}

function run(unit: string, service: Integration): string {
  const most = Math.min(longestRun, room(service) / 8 / JSON.stringify(unit).length)
  return unit.repeat(Math.ceil(most))
}

/** The example of a service with one member of each path replaced. */
const changed = ({ example }: Integration, path: readonly (string | number)[], value: unknown) =>
  changedMembers(example.body, path, value)

/** Pairs of a kind of run and a text of an example: with `--all` one of 24, and all of them in as many days. */
const texts = integrations.flatMap((service) =>
  leaves(service.example.body).flatMap((path) =>
    usualUnits.map((unit) => ({ service, path, unit })),
  ),
)

test('a text of any field of any service, however long and of whatever, takes little work', async () => {
  for (const { service, path, unit } of drawShare(texts, isWhole ? 24 : 320, seed)) {
    const work = await workOf(service, JSON.stringify(changed(service, path, run(unit, service))))
    const what = `${service.name}: ${path.join('.')} of ${JSON.stringify(unit)}`
    assert.ok(work <= mostWork, `${what}: ${work} ms`)
  }
})

describe('a service with as many items as its payload holds takes little work', () => {
  for (const service of draw(integrations, 1 / 24)) {
    test(service.name, async () => {
      const { body } = service.example
      for (const path of [[], ...leaves(body, { inner: true })]) {
        const value = path.reduce<unknown>(
          (inner, key) => (inner as Record<string | number, unknown>)[key],
          body,
        )
        if (typeof value !== 'object' || value === null) continue
        const [first = {}] = Object.values(value)
        for (const item of [{}, '', first]) {
          const count = Math.floor(room(service) / (JSON.stringify(item).length + 12))
          const many = Array.isArray(value)
            ? Array.from({ length: count }, () => item)
            : {
                ...value,
                ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, item])),
              }
          const work = await workOf(service, JSON.stringify(changed(service, path, many)))
          assert.ok(work <= mostWork, `${path.join('.')}, ${count} times: ${work} ms`)
        }
      }
    })
  }
})
