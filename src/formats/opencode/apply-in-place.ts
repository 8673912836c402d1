/**
 * Copies `rewritten` into the host's list, because OpenCode only uses the list that it passed to the plugin.
 *
 * ```ts
 * 'experimental.chat.messages.transform': async (_input, output) => {
 *   const read = opencode.read(output.messages)
 *   applyInPlace(output.messages, opencode.rewrite(read, changes).source)
 * }
 * ```
 */
export function applyInPlace(list: unknown[], rewritten: readonly unknown[]): void {
  if (rewritten === list) return
  for (let index = 0; index < rewritten.length; index++) {
    if (list[index] !== rewritten[index]) list[index] = rewritten[index]
  }
  if (list.length !== rewritten.length) list.length = rewritten.length
}
