import { afterAll, beforeAll } from 'vitest'
import type { ItemKind, MessageDraft } from '../../../src/core/words/item.ts'
import { bodyFormats } from '../../../src/formats/index.ts'
import type { Client } from '../client.ts'
import { describeClient, programs } from '../installed-client.ts'
import {
  type GatewaySession,
  type GatewaySessionOptions,
  type Story,
  throughGateway,
} from './gateway-session.ts'

/** A client's way through a story, over. */
export interface ToldStory {
  readonly session: GatewaySession
  /** The messages of each request of the conversation itself. */
  readonly turns: readonly (readonly MessageDraft[])[]
}

export interface StoryOptions {
  readonly title: string
  readonly story: Story
  readonly restores: NonNullable<GatewaySessionOptions['restores']>
}

/** Has a client go through a story once, and the assertions look at what came of it. */
export function describeStory(
  client: Client,
  { title, story, restores }: StoryOptions,
  assertions: (told: () => ToldStory) => void,
): void {
  describeClient(client, `${client.name} ${title}`, (command) => {
    let told: ToldStory

    beforeAll(async () => {
      const options = { client, command, programs, killAfter: null }
      const session = await throughGateway({ ...options, story, restores })
      const { read } = bodyFormats[client.format]
      const requests = session.requests.filter(({ kind }) => kind === 'turn')
      told = { session, turns: requests.map(({ body }) => read(body).messages) }
    }, 240_000)
    afterAll(() => told?.session.remove())

    assertions(() => told)
  })
}

/** What the model answered the client's requests with that were not taken as they came. */
export function refusedIn({ session }: ToldStory): readonly unknown[] {
  return session.requests
    .filter(({ api, status }) => api !== null && status !== 200)
    .map(({ violations }) => violations)
}

export function textsIn(
  messages: readonly MessageDraft[],
  kind: Extract<ItemKind, 'text' | 'result'>,
): readonly string[] {
  return messages.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === kind ? [item.text] : [])),
  )
}
