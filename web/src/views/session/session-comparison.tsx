import { apiPaths, type Comparison } from '../../../../src/dashboard/types.ts'
import { ComparisonCharts } from '../../parts/comparison-charts.tsx'
import { Read } from '../../parts/states.tsx'

/** What other presets and schedules would have done with this session. */
export function SessionComparison({ session }: { readonly session: string }) {
  return (
    <Read<Comparison> path={apiPaths.compareSession(session)}>
      {(comparison) => <ComparisonCharts comparison={comparison} />}
    </Read>
  )
}
