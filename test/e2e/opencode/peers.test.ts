import { beforeAll, describe, expect, it } from 'vitest'
import { compareHooks, comparePeers, type HookTimes, type PeerRow, peerLines } from './peers.ts'
import { hostCommand, hostTitle } from './served-session.ts'

// `npm run bench:opencode` prints the table.
describe.skipIf(hostCommand === null)(
  hostTitle('beside DCP in OpenCode, on the same session'),
  () => {
    let rows: readonly PeerRow[]
    let times: readonly HookTimes[]
    const of = (name: PeerRow['name']): PeerRow => rows.find((row) => row.name === name)!

    beforeAll(async () => {
      rows = await comparePeers()
      times = await compareHooks([50, 500])
      console.log(peerLines(rows, times).join('\n'))
    }, 900_000)

    it('is a session that goes on to its end, whoever is there', () => {
      expect(rows.map(({ requests }) => requests)).toEqual([51, 51, 52, 51])
    })

    it('sends at most 0.8 times the tokens of no plugin', () => {
      expect(of('Palimpsest').lastTokens).toBeLessThanOrEqual(0.8 * of('no plugin').lastTokens)
    })

    it('keeps a longer prefix than DCP does when it compresses', () => {
      expect(of('Palimpsest').sharedPrefix).toBeGreaterThan(of('DCP, compress called').sharedPrefix)
    })

    it('takes at most a tenth of the time in its hooks, at 50 calls and at 500', () => {
      for (const { palimpsest, dcp } of times)
        expect(palimpsest.processorMs).toBeLessThanOrEqual(dcp.processorMs / 10)
    })
  },
)
