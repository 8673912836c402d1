/** Finds related models by name: `claude-sonnet-4-5` and `claude-opus-4-1` share a tokenizer. */

/** Regions, hosts and vendors that routers put before a model's name. */
const routerPrefixes: ReadonlySet<string> = new Set([
  'us',
  'eu',
  'apac',
  'global',
  'models',
  'publishers',
  'anthropic',
  'openai',
  'azure',
  'google',
  'vertex',
  'bedrock',
  'openrouter',
  'meta',
  'moonshotai',
  'mistralai',
  'x',
  'ai',
])

/**
 * The parts of a model's name, the most general first, without a router's prefix.
 *
 * ```ts
 * modelSegments('us.anthropic.claude-opus-4-1') // ['claude', 'opus', '4', '1']
 * ```
 */
export function modelSegments(model: string): readonly string[] {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const segments = name.split(/[^a-z0-9]+/).filter((segment) => segment !== '')
  const first = segments.findIndex((segment) => !routerPrefixes.has(segment))
  return first === -1 ? segments : segments.slice(first)
}
