import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files take long, the longest first. */
const slowFolders = ['/test/e2e/', '/test/store/', '/test/linear/', '/test/corpus/', '/test/']

/** Starts long files first, so that no worker is left alone with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (one, other) =>
        rank(one.moduleId) - rank(other.moduleId) || one.moduleId.localeCompare(other.moduleId),
    )
  }
}

function rank(file: string): number {
  const found = slowFolders.findIndex((folder) => file.includes(folder))
  return found === -1 ? slowFolders.length : found
}

/** Comparisons with other programs, which change only when one of them does. Only `npm test -- --all` runs them in CI. */
const comparisons = ['test/e2e/opencode/peers.test.ts']

const isShortRun = process.env.PALIMPSEST_TEST_CLIENTS === 'newest'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: isShortRun ? [...configDefaults.exclude, ...comparisons] : configDefaults.exclude,
    isolate: false,
    // The default is one less than the machine has cores, which leaves the second core of a small one idle.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 30_000,
  },
})

export default config
