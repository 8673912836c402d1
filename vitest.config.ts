import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    isolate: false,
    setupFiles: ['test/property-seed.ts'],
    testTimeout: 30_000,
  },
})

export default config
