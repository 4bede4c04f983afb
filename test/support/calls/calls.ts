import type { TestServer } from '#test/support/server.ts'
import { botCalls } from './bots.ts'
import { channelCalls } from './channels.ts'
import { maker } from './maker.ts'
import { messageCalls } from './messages.ts'
import { ownAccountCalls } from './own-account.ts'
import { peopleCalls } from './people.ts'
import { realmCalls } from './realm.ts'
import type { SampleCalls } from './sample-call.ts'
import { writingCalls } from './writing.ts'

/** A sample call of every endpoint. */
export function sampleCalls(server: TestServer): SampleCalls {
  const make = maker(server)
  return {
    ...messageCalls(make),
    ...writingCalls(make),
    ...channelCalls(make),
    ...peopleCalls(make),
    ...ownAccountCalls(make),
    ...botCalls(make),
    ...realmCalls(make),
  }
}
