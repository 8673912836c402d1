import { useMemo, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { apiPaths, type Money, type MoneyRegime } from '../../../../src/dashboard/types.ts'
import {
  count,
  dollarColumn,
  dollars,
  duration,
  percent,
  savedShare,
  tokens,
} from '../../data/format.ts'
import { epochName } from '../../data/kinds.ts'
import { linkTo } from '../../data/route.ts'
import { axes, Chart, drawLineEnds } from '../../parts/chart.tsx'
import { Metric, Metrics } from '../../parts/metric.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty, Read } from '../../parts/states.tsx'
import { CacheChart } from './cache-chart.tsx'

/** What the session cost, request by request, with and without Palimpsest. */
export function MoneyView({ session }: { readonly session: string }) {
  return (
    <Read<Money> path={apiPaths.money(session)}>
      {(money) =>
        money.regimes.length === 0 || money.regimes[0]?.requests.length === 0 ? (
          <Empty title="Nothing to price yet">
            <p>The session has no requests, or no prices are known for its model.</p>
          </Empty>
        ) : (
          <Prices session={session} money={money} />
        )
      }
    </Read>
  )
}

function Prices({ session, money }: { readonly session: string; readonly money: Money }) {
  const [name, setName] = useState(money.own ?? money.regimes[0]?.name ?? '')
  const regime = money.regimes.find((each) => each.name === name) ?? money.regimes[0]
  if (regime === undefined) return null
  const { dollars: sums } = regime
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>Prices</span>
          <select value={regime.name} onChange={(event) => setName(event.currentTarget.value)}>
            {money.regimes.map((each) => (
              <option key={each.name} value={each.name}>
                {each.name === money.own ? `${each.name} (this session's model)` : each.name}
              </option>
            ))}
          </select>
        </label>
        <p class="muted">{regimeText(regime)}</p>
      </div>
      <Metrics>
        <Metric
          label="With Palimpsest"
          value={dollars(sums.with)}
          note={`input, cache included; ${basisOf(money, regime)}`}
        />
        <Metric label="Without" value={dollars(sums.without)} />
        <Metric
          label="Saved"
          value={dollars(sums.without - sums.with)}
          tone={sums.without >= sums.with ? 'good' : 'bad'}
          note={percent(savedShare(sums))}
        />
        <Metric
          label="Restores"
          value={dollars(money.restored.dollars)}
          note={`${count(money.restored.items, 'original')}, ${tokens(money.restored.tokens)} tokens; not in the sums`}
        />
      </Metrics>
      <section class="card">
        <h2>Dollars so far</h2>
        <SumChart regime={regime} />
      </section>
      <section class="card">
        <h2>Cache reads and writes</h2>
        <CacheChart cache={money.cache} />
      </section>
      <Epochs session={session} money={money} />
    </>
  )
}

function SumChart({ regime }: { readonly regime: MoneyRegime }) {
  const data = useMemo<uPlot.AlignedData>(() => {
    let [sent, without] = [0, 0]
    const sums = regime.requests.map((each) => {
      sent += each.with
      without += each.without
      return [sent, without] as const
    })
    return [
      sums.map((_, index) => index + 1),
      sums.map((each) => each[1]),
      sums.map((each) => each[0]),
    ]
  }, [regime])
  const { dollars: sums } = regime
  return (
    <Chart
      label={`Dollars by request: ${dollars(sums.with)} with Palimpsest, ${dollars(sums.without)} without, over ${regime.requests.length} requests`}
      height={220}
      data={data}
      options={(colors) => ({
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        padding: [12, 108, 0, 0],
        scales: { x: { time: false }, y: { range: (_, _low, high) => [0, high * 1.05] } },
        hooks: {
          draw: [
            (plot) =>
              drawLineEnds(plot, [
                {
                  value: sums.without,
                  color: colors('muted'),
                  text: `${dollars(sums.without)} without`,
                },
                { value: sums.with, color: colors('accent'), text: `${dollars(sums.with)} with` },
              ]),
          ],
        },
        axes: axes(
          colors,
          { values: (_, splits) => splits.map((n) => (Number.isInteger(n) ? `${n}` : '')) },
          { values: (_, splits) => splits.map(dollars), size: 62 },
        ),
        series: [
          {},
          { stroke: colors('muted'), width: 2, dash: [5, 4], points: { show: false } },
          {
            stroke: colors('accent'),
            width: 2,
            fill: colors('accent-soft'),
            points: { show: false },
          },
        ],
      })}
    />
  )
}

function Epochs({ session, money }: { readonly session: string; readonly money: Money }) {
  const costs = dollarColumn(money.epochs.map((epoch) => epoch.dollars))
  return (
    <section class="card">
      <h2>Epochs</h2>
      <p class="muted">
        Requests that changed what had been sent before. The cache has to be written again behind
        the change; that is the cost.
      </p>
      {money.epochs.length === 0 ? (
        <p>None: nothing that was sent before has changed.</p>
      ) : (
        <Scroll label="Epochs">
          <table>
            <thead>
              <tr>
                <th class="number">Request</th>
                <th>Why</th>
                <th class="number">Removed</th>
                <th class="number">Written again</th>
                <th class="number">Cost</th>
                <th>Pays back</th>
              </tr>
            </thead>
            <tbody>
              {money.epochs.map((epoch, at) => (
                <tr key={epoch.request}>
                  <td class="number">
                    <a href={linkTo(['sessions', session], { at: epoch.request })}>
                      {epoch.request}
                    </a>
                  </td>
                  <td>{epochName(epoch.reason)}</td>
                  <td class="number">{tokens(epoch.removedTokens)}</td>
                  <td class="number">{tokens(epoch.rewrittenTokens)}</td>
                  <td class="number">{costs[at]}</td>
                  <td>{payBack(epoch.paysBackAfter)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  )
}

function basisOf({ own, measured }: Money, { name, requests }: MoneyRegime): string {
  if (name !== own || measured === 0) return 'estimated'
  return measured === requests.length ? 'by usage' : `${measured} of ${requests.length} by usage`
}

function payBack(requests: number | null): string {
  if (requests === null) return 'never'
  if (requests === 0) return 'at once'
  return `after ${count(requests, 'request')}`
}

function regimeText({ inputPrice, read, write, lifetimeMs }: MoneyRegime): string {
  const lifetime = lifetimeMs === null ? 'no cache' : `cache lasts ${duration(lifetimeMs)}`
  return `${dollars(inputPrice)} for a million tokens; cache reads ×${read}, writes ×${write}; ${lifetime}`
}
