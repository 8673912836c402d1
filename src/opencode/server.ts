import { createPlugin } from './plugin.ts'

/** What OpenCode loads: `"plugin": ["palimpsest"]` in `opencode.json`. */
const plugin: { readonly id: string; readonly server: typeof createPlugin } = {
  id: 'palimpsest',
  server: createPlugin,
}

// biome-ignore lint/style/noDefaultExport: the host takes the plugin from it
export default plugin
