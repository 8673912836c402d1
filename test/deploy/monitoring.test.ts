import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hasProgram } from '../../scripts/system-package.mjs'
import { createMetrics } from '../../src/gateway/operations/metrics.ts'
import { deployFile, deployText } from './deploy-file.ts'

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly gridPos: {
      readonly x: number
      readonly y: number
      readonly w: number
      readonly h: number
    }
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

const dashboard = JSON.parse(deployText('grafana-dashboard.json')) as Dashboard
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** Every series that a gateway serves, with the suffixes of histograms. */
async function servedSeries(): Promise<ReadonlySet<string>> {
  const { registry } = createMetrics({ version: 'test', sessionsInMemory: () => 0 })
  const metrics = await registry.getMetricsAsJSON()
  return new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram'
        ? ['_bucket', '_sum', '_count'].map((end) => name + end)
        : [name],
    ),
  )
}

const seriesIn = (text: string): readonly string[] =>
  text.match(/\b(?:palimpsest|process|nodejs)_[a-z0-9_]+\b/g) ?? []

it('the dashboard shows every metric that is served, and none besides', async () => {
  const served = await servedSeries()
  const shown = new Set(expressions.flatMap(seriesIn))
  expect([...shown].filter((name) => !served.has(name))).toEqual([])
  const families = new Set([...shown].map((name) => name.replace(/_bucket$/, '')))
  const unshown = [...served]
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
    .filter((name) => !families.has(name))
  // The first two are labels of the others, the third is a ratio that the dashboard computes over all gateways.
  expect([...new Set(unshown)].sort()).toEqual([
    'palimpsest_build_info',
    'palimpsest_cache_hit_ratio',
    'process_start_time_seconds',
  ])
})

it('the alerts name metrics that are served', async () => {
  const served = await servedSeries()
  const named = deployText('prometheus-rules.yaml')
    .split('\n')
    .filter((line) => !line.includes('summary:'))
    .flatMap(seriesIn)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !served.has(name))).toEqual([])
})

it('the panels of the dashboard do not overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
})

it.skipIf(!hasProgram('promtool'))(
  'Prometheus reads every expression [npm test -- --all installs promtool]',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'palimpsest-rules-'))
    const rules = expressions.map((expr, at) => ({
      record: `panel:${at}`,
      expr: expr
        .replaceAll('$__rate_interval', '5m')
        .replaceAll('$__range', '6h')
        .replaceAll(/\$(job|instance)/g, '.*'),
    }))
    const file = path.join(folder, 'rules.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    for (const each of [file, deployFile('prometheus-rules.yaml')]) {
      const check = spawnSync('promtool', ['check', 'rules', each], { encoding: 'utf8' })
      expect([check.status, check.stderr]).toEqual([0, ''])
    }
    rmSync(folder, { recursive: true })
  },
)
