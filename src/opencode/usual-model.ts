import { isJsonObject, type JsonObject } from '../core/words/json.ts'
import type { HostClient } from './host.ts'
import { infoOf, providerOf } from './message-facts.ts'
import { providerName } from './provider-name.ts'

/** The model that a conversation talks to when no command is answered; null when the host knows none. */
export async function usualModel(
  client: HostClient,
  sessionID: string,
): Promise<JsonObject | null> {
  const { data } = await client.session.messages({ path: { id: sessionID } })
  const before = (Array.isArray(data) ? data : []).findLast(
    (message) => infoOf(message).role === 'user' && providerOf(message) !== providerName,
  )
  const { model } = infoOf(before)
  return isJsonObject(model) ? model : ((await configured(client)) ?? (await preferred(client)))
}

async function configured(client: HostClient): Promise<JsonObject | null> {
  const { data } = await client.config.get()
  const model = isJsonObject(data) ? data.model : undefined
  const [, providerID, modelID] =
    typeof model === 'string' ? (/^([^/]+)\/(.+)$/.exec(model) ?? []) : []
  return providerID === undefined || modelID === undefined ? null : { providerID, modelID }
}

async function preferred(client: HostClient): Promise<JsonObject | null> {
  const { data } = await client.config.providers()
  const defaults = isJsonObject(data) && isJsonObject(data.default) ? data.default : {}
  const found = Object.entries(defaults).find(([provider]) => provider !== providerName)
  return found === undefined ? null : { providerID: found[0], modelID: found[1] }
}
